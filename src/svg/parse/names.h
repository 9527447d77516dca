// The names of SVG that the loader knows, interned to enumerations.
#ifndef SJ_SVG_PARSE_NAMES_H
#define SJ_SVG_PARSE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

// The kinds of elements, which tell where an element may stand. Elements without a kind draw nothing by themselves:
// others refer to them, or they say something about others.
enum {
  SJ_IS_SHAPE = 1,  // draws an outline
  SJ_IS_IMAGE = 2,
  SJ_IS_TEXT = 4,
  SJ_IS_GROUP = 8,    // draws what is in it or what it refers to
  SJ_IS_MARKED = 16,  // takes markers
  SJ_IS_GRADIENT = 32,
  SJ_IS_PATTERN = 64,
  SJ_IS_ANIMATION = 128,
  SJ_IS_FILTER = 512,
  SJ_IS_PRIMITIVE = 1024,   // of a filter
  SJ_HIDES_OVERFLOW = 256,  // clips what is in it by SVG 2's user agent style sheet
  SJ_IS_HATCH = 2048,
  SJ_IS_MESH = 4096,
  SJ_IS_SERVER = SJ_IS_GRADIENT | SJ_IS_PATTERN | SJ_IS_HATCH | SJ_IS_MESH,
  SJ_IS_DRAWN = SJ_IS_SHAPE | SJ_IS_IMAGE | SJ_IS_TEXT | SJ_IS_GROUP  // drawn where it stands
};

// Elements: enumerator, name, kinds. They are sorted by name for the binary search; a test checks that.
#define SJ_ELEMENTS(X)                                                \
  X(A, "a", SJ_IS_GROUP)                                              \
  X(ANIMATE, "animate", SJ_IS_ANIMATION)                              \
  X(ANIMATE_MOTION, "animateMotion", SJ_IS_ANIMATION)                 \
  X(ANIMATE_TRANSFORM, "animateTransform", SJ_IS_ANIMATION)           \
  X(CIRCLE, "circle", SJ_IS_SHAPE)                                    \
  X(CLIP_PATH, "clipPath", 0)                                         \
  X(DEFS, "defs", 0)                                                  \
  X(DESC, "desc", 0)                                                  \
  X(ELLIPSE, "ellipse", SJ_IS_SHAPE)                                  \
  X(FE_BLEND, "feBlend", SJ_IS_PRIMITIVE)                             \
  X(FE_COLOR_MATRIX, "feColorMatrix", SJ_IS_PRIMITIVE)                \
  X(FE_COMPONENT_TRANSFER, "feComponentTransfer", SJ_IS_PRIMITIVE)    \
  X(FE_COMPOSITE, "feComposite", SJ_IS_PRIMITIVE)                     \
  X(FE_CONVOLVE_MATRIX, "feConvolveMatrix", SJ_IS_PRIMITIVE)          \
  X(FE_DIFFUSE_LIGHTING, "feDiffuseLighting", SJ_IS_PRIMITIVE)        \
  X(FE_DISPLACEMENT_MAP, "feDisplacementMap", SJ_IS_PRIMITIVE)        \
  X(FE_DISTANT_LIGHT, "feDistantLight", 0)                            \
  X(FE_DROP_SHADOW, "feDropShadow", SJ_IS_PRIMITIVE)                  \
  X(FE_FLOOD, "feFlood", SJ_IS_PRIMITIVE)                             \
  X(FE_FUNC_A, "feFuncA", 0)                                          \
  X(FE_FUNC_B, "feFuncB", 0)                                          \
  X(FE_FUNC_G, "feFuncG", 0)                                          \
  X(FE_FUNC_R, "feFuncR", 0)                                          \
  X(FE_GAUSSIAN_BLUR, "feGaussianBlur", SJ_IS_PRIMITIVE)              \
  X(FE_IMAGE, "feImage", SJ_IS_PRIMITIVE)                             \
  X(FE_MERGE, "feMerge", SJ_IS_PRIMITIVE)                             \
  X(FE_MERGE_NODE, "feMergeNode", 0)                                  \
  X(FE_MORPHOLOGY, "feMorphology", SJ_IS_PRIMITIVE)                   \
  X(FE_OFFSET, "feOffset", SJ_IS_PRIMITIVE)                           \
  X(FE_POINT_LIGHT, "fePointLight", 0)                                \
  X(FE_SPECULAR_LIGHTING, "feSpecularLighting", SJ_IS_PRIMITIVE)      \
  X(FE_SPOT_LIGHT, "feSpotLight", 0)                                  \
  X(FE_TILE, "feTile", SJ_IS_PRIMITIVE)                               \
  X(FE_TURBULENCE, "feTurbulence", SJ_IS_PRIMITIVE)                   \
  X(FILTER, "filter", SJ_IS_FILTER)                                   \
  X(FLOW_DIV, "flowDiv", 0)                                           \
  X(FLOW_LINE, "flowLine", 0)                                         \
  X(FLOW_PARA, "flowPara", 0)                                         \
  X(FLOW_REGION, "flowRegion", 0)                                     \
  X(FLOW_REGION_EXCLUDE, "flowRegionExclude", 0)                      \
  X(FLOW_ROOT, "flowRoot", SJ_IS_TEXT)                                \
  X(FLOW_SPAN, "flowSpan", 0)                                         \
  X(FOREIGN_OBJECT, "foreignObject", SJ_IS_GROUP | SJ_HIDES_OVERFLOW) \
  X(G, "g", SJ_IS_GROUP)                                              \
  X(HATCH, "hatch", SJ_IS_HATCH)                                      \
  X(HATCH_PATH, "hatchpath", 0)                                       \
  X(IMAGE, "image", SJ_IS_IMAGE | SJ_HIDES_OVERFLOW)                  \
  X(LINE, "line", SJ_IS_SHAPE | SJ_IS_MARKED)                         \
  X(LINEAR_GRADIENT, "linearGradient", SJ_IS_GRADIENT)                \
  X(MARKER, "marker", SJ_HIDES_OVERFLOW)                              \
  X(MASK, "mask", 0)                                                  \
  X(MESH_GRADIENT, "meshgradient", SJ_IS_MESH)                        \
  X(MESH_PATCH, "meshpatch", 0)                                       \
  X(MESH_ROW, "meshrow", 0)                                           \
  X(METADATA, "metadata", 0)                                          \
  X(MPATH, "mpath", 0)                                                \
  X(PATH, "path", SJ_IS_SHAPE | SJ_IS_MARKED)                         \
  X(PATTERN, "pattern", SJ_IS_PATTERN | SJ_HIDES_OVERFLOW)            \
  X(POLYGON, "polygon", SJ_IS_SHAPE | SJ_IS_MARKED)                   \
  X(POLYLINE, "polyline", SJ_IS_SHAPE | SJ_IS_MARKED)                 \
  X(RADIAL_GRADIENT, "radialGradient", SJ_IS_GRADIENT)                \
  X(RECT, "rect", SJ_IS_SHAPE)                                        \
  X(SCRIPT, "script", 0)                                              \
  X(SET, "set", SJ_IS_ANIMATION)                                      \
  X(STOP, "stop", 0)                                                  \
  X(STYLE, "style", 0)                                                \
  X(SVG, "svg", SJ_IS_GROUP | SJ_HIDES_OVERFLOW)                      \
  X(SWITCH, "switch", SJ_IS_GROUP)                                    \
  X(SYMBOL, "symbol", SJ_HIDES_OVERFLOW)                              \
  X(TEXT, "text", SJ_IS_TEXT)                                         \
  X(TEXT_PATH, "textPath", 0)                                         \
  X(TITLE, "title", 0)                                                \
  X(TREF, "tref", 0)                                                  \
  X(TSPAN, "tspan", 0)                                                \
  X(USE, "use", SJ_IS_GROUP)

// Properties that the computation of styles knows, sorted by name. Each is also a presentation attribute, except for
// shorthands and properties that SVG does not list.
#define SJ_PROPERTIES(X)                                        \
  X(ALIGNMENT_BASELINE, "alignment-baseline")                   \
  X(ANIMATION, "animation")                                     \
  X(ANIMATION_COMPOSITION, "animation-composition")             \
  X(ANIMATION_DELAY, "animation-delay")                         \
  X(ANIMATION_DIRECTION, "animation-direction")                 \
  X(ANIMATION_DURATION, "animation-duration")                   \
  X(ANIMATION_FILL_MODE, "animation-fill-mode")                 \
  X(ANIMATION_ITERATION_COUNT, "animation-iteration-count")     \
  X(ANIMATION_NAME, "animation-name")                           \
  X(ANIMATION_PLAY_STATE, "animation-play-state")               \
  X(ANIMATION_TIMING_FUNCTION, "animation-timing-function")     \
  X(BACKGROUND, "background")                                   \
  X(BACKGROUND_COLOR, "background-color")                       \
  X(BASELINE_SHIFT, "baseline-shift")                           \
  X(CLIP_PATH, "clip-path")                                     \
  X(CLIP_RULE, "clip-rule")                                     \
  X(COLOR, "color")                                             \
  X(COLOR_INTERPOLATION, "color-interpolation")                 \
  X(COLOR_INTERPOLATION_FILTERS, "color-interpolation-filters") \
  X(DIRECTION, "direction")                                     \
  X(DISPLAY, "display")                                         \
  X(DOMINANT_BASELINE, "dominant-baseline")                     \
  X(FILL, "fill")                                               \
  X(FILL_OPACITY, "fill-opacity")                               \
  X(FILL_RULE, "fill-rule")                                     \
  X(FILTER, "filter")                                           \
  X(FLOOD_COLOR, "flood-color")                                 \
  X(FLOOD_OPACITY, "flood-opacity")                             \
  X(FONT, "font")                                               \
  X(FONT_FAMILY, "font-family")                                 \
  X(FONT_FEATURE_SETTINGS, "font-feature-settings")             \
  X(FONT_KERNING, "font-kerning")                               \
  X(FONT_LANGUAGE_OVERRIDE, "font-language-override")           \
  X(FONT_OPTICAL_SIZING, "font-optical-sizing")                 \
  X(FONT_PALETTE, "font-palette")                               \
  X(FONT_SIZE, "font-size")                                     \
  X(FONT_SIZE_ADJUST, "font-size-adjust")                       \
  X(FONT_STRETCH, "font-stretch")                               \
  X(FONT_STYLE, "font-style")                                   \
  X(FONT_SYNTHESIS, "font-synthesis")                           \
  X(FONT_SYNTHESIS_POSITION, "font-synthesis-position")         \
  X(FONT_SYNTHESIS_SMALL_CAPS, "font-synthesis-small-caps")     \
  X(FONT_SYNTHESIS_STYLE, "font-synthesis-style")               \
  X(FONT_SYNTHESIS_WEIGHT, "font-synthesis-weight")             \
  X(FONT_VARIANT, "font-variant")                               \
  X(FONT_VARIANT_ALTERNATES, "font-variant-alternates")         \
  X(FONT_VARIANT_CAPS, "font-variant-caps")                     \
  X(FONT_VARIANT_EAST_ASIAN, "font-variant-east-asian")         \
  X(FONT_VARIANT_EMOJI, "font-variant-emoji")                   \
  X(FONT_VARIANT_LIGATURES, "font-variant-ligatures")           \
  X(FONT_VARIANT_NUMERIC, "font-variant-numeric")               \
  X(FONT_VARIANT_POSITION, "font-variant-position")             \
  X(FONT_VARIATION_SETTINGS, "font-variation-settings")         \
  X(FONT_WEIGHT, "font-weight")                                 \
  X(GLYPH_ORIENTATION_VERTICAL, "glyph-orientation-vertical")   \
  X(IMAGE_RENDERING, "image-rendering")                         \
  X(INLINE_SIZE, "inline-size")                                 \
  X(ISOLATION, "isolation")                                     \
  X(LETTER_SPACING, "letter-spacing")                           \
  X(LIGHTING_COLOR, "lighting-color")                           \
  X(LINE_HEIGHT, "line-height")                                 \
  X(MARKER, "marker")                                           \
  X(MARKER_END, "marker-end")                                   \
  X(MARKER_MID, "marker-mid")                                   \
  X(MARKER_START, "marker-start")                               \
  X(MASK, "mask")                                               \
  X(MASK_CLIP, "mask-clip")                                     \
  X(MASK_COMPOSITE, "mask-composite")                           \
  X(MASK_IMAGE, "mask-image")                                   \
  X(MASK_MODE, "mask-mode")                                     \
  X(MASK_ORIGIN, "mask-origin")                                 \
  X(MASK_POSITION, "mask-position")                             \
  X(MASK_REPEAT, "mask-repeat")                                 \
  X(MASK_SIZE, "mask-size")                                     \
  X(MASK_TYPE, "mask-type")                                     \
  X(MIX_BLEND_MODE, "mix-blend-mode")                           \
  X(OFFSET_ANCHOR, "offset-anchor")                             \
  X(OFFSET_DISTANCE, "offset-distance")                         \
  X(OFFSET_PATH, "offset-path")                                 \
  X(OFFSET_ROTATE, "offset-rotate")                             \
  X(OPACITY, "opacity")                                         \
  X(OVERFLOW, "overflow")                                       \
  X(PAINT_ORDER, "paint-order")                                 \
  X(ROTATE, "rotate")                                           \
  X(SCALE, "scale")                                             \
  X(SHAPE_INSIDE, "shape-inside")                               \
  X(SHAPE_MARGIN, "shape-margin")                               \
  X(SHAPE_PADDING, "shape-padding")                             \
  X(SHAPE_RENDERING, "shape-rendering")                         \
  X(SHAPE_SUBTRACT, "shape-subtract")                           \
  X(STOP_COLOR, "stop-color")                                   \
  X(STOP_OPACITY, "stop-opacity")                               \
  X(STROKE, "stroke")                                           \
  X(STROKE_DASHARRAY, "stroke-dasharray")                       \
  X(STROKE_DASHOFFSET, "stroke-dashoffset")                     \
  X(STROKE_LINECAP, "stroke-linecap")                           \
  X(STROKE_LINEJOIN, "stroke-linejoin")                         \
  X(STROKE_MITERLIMIT, "stroke-miterlimit")                     \
  X(STROKE_OPACITY, "stroke-opacity")                           \
  X(STROKE_WIDTH, "stroke-width")                               \
  X(TEXT_ALIGN, "text-align")                                   \
  X(TEXT_ANCHOR, "text-anchor")                                 \
  X(TEXT_DECORATION, "text-decoration")                         \
  X(TEXT_DECORATION_COLOR, "text-decoration-color")             \
  X(TEXT_DECORATION_LINE, "text-decoration-line")               \
  X(TEXT_DECORATION_SKIP_INK, "text-decoration-skip-ink")       \
  X(TEXT_DECORATION_STYLE, "text-decoration-style")             \
  X(TEXT_DECORATION_THICKNESS, "text-decoration-thickness")     \
  X(TEXT_EMPHASIS, "text-emphasis")                             \
  X(TEXT_EMPHASIS_COLOR, "text-emphasis-color")                 \
  X(TEXT_EMPHASIS_POSITION, "text-emphasis-position")           \
  X(TEXT_EMPHASIS_STYLE, "text-emphasis-style")                 \
  X(TEXT_ORIENTATION, "text-orientation")                       \
  X(TEXT_OVERFLOW, "text-overflow")                             \
  X(TEXT_RENDERING, "text-rendering")                           \
  X(TEXT_SHADOW, "text-shadow")                                 \
  X(TEXT_TRANSFORM, "text-transform")                           \
  X(TEXT_UNDERLINE_OFFSET, "text-underline-offset")             \
  X(TEXT_UNDERLINE_POSITION, "text-underline-position")         \
  X(TRANSFORM, "transform")                                     \
  X(TRANSFORM_BOX, "transform-box")                             \
  X(TRANSFORM_ORIGIN, "transform-origin")                       \
  X(TRANSLATE, "translate")                                     \
  X(UNICODE_BIDI, "unicode-bidi")                               \
  X(VECTOR_EFFECT, "vector-effect")                             \
  X(VISIBILITY, "visibility")                                   \
  X(WHITE_SPACE, "white-space")                                 \
  X(WORD_SPACING, "word-spacing")                               \
  X(WRITING_MODE, "writing-mode")

// Attributes that are no presentation attributes, sorted by name. Those marked GEOMETRY are SVG 2's geometry
// properties, which style declarations may set, too.
#define SJ_ATTRIBUTES(PLAIN, GEOMETRY)                \
  PLAIN(CLIP_PATH_UNITS, "clipPathUnits")             \
  GEOMETRY(CX, "cx")                                  \
  GEOMETRY(CY, "cy")                                  \
  GEOMETRY(D, "d")                                    \
  PLAIN(DX, "dx")                                     \
  PLAIN(DY, "dy")                                     \
  PLAIN(FILTER_UNITS, "filterUnits")                  \
  PLAIN(FR, "fr")                                     \
  PLAIN(FX, "fx")                                     \
  PLAIN(FY, "fy")                                     \
  PLAIN(GRADIENT_TRANSFORM, "gradientTransform")      \
  PLAIN(GRADIENT_UNITS, "gradientUnits")              \
  PLAIN(HATCH_CONTENT_UNITS, "hatchContentUnits")     \
  PLAIN(HATCH_TRANSFORM, "hatchTransform")            \
  PLAIN(HATCH_UNITS, "hatchUnits")                    \
  GEOMETRY(HEIGHT, "height")                          \
  PLAIN(HREF, "href")                                 \
  PLAIN(ID, "id")                                     \
  PLAIN(LENGTH_ADJUST, "lengthAdjust")                \
  PLAIN(MARKER_HEIGHT, "markerHeight")                \
  PLAIN(MARKER_UNITS, "markerUnits")                  \
  PLAIN(MARKER_WIDTH, "markerWidth")                  \
  PLAIN(MASK_CONTENT_UNITS, "maskContentUnits")       \
  PLAIN(MASK_UNITS, "maskUnits")                      \
  PLAIN(OFFSET, "offset")                             \
  PLAIN(ORIENT, "orient")                             \
  PLAIN(PATH, "path")                                 \
  PLAIN(PATH_LENGTH, "pathLength")                    \
  PLAIN(PATTERN_CONTENT_UNITS, "patternContentUnits") \
  PLAIN(PATTERN_TRANSFORM, "patternTransform")        \
  PLAIN(PATTERN_UNITS, "patternUnits")                \
  PLAIN(PITCH, "pitch")                               \
  PLAIN(POINTS, "points")                             \
  PLAIN(PRESERVE_ASPECT_RATIO, "preserveAspectRatio") \
  PLAIN(PRIMITIVE_UNITS, "primitiveUnits")            \
  GEOMETRY(R, "r")                                    \
  PLAIN(REF_X, "refX")                                \
  PLAIN(REF_Y, "refY")                                \
  PLAIN(REQUIRED_EXTENSIONS, "requiredExtensions")    \
  PLAIN(REQUIRED_FEATURES, "requiredFeatures")        \
  GEOMETRY(RX, "rx")                                  \
  GEOMETRY(RY, "ry")                                  \
  PLAIN(SIDE, "side")                                 \
  PLAIN(SPREAD_METHOD, "spreadMethod")                \
  PLAIN(START_OFFSET, "startOffset")                  \
  PLAIN(STYLE, "style")                               \
  PLAIN(SYSTEM_LANGUAGE, "systemLanguage")            \
  PLAIN(TEXT_LENGTH, "textLength")                    \
  PLAIN(TYPE, "type")                                 \
  PLAIN(VIEW_BOX, "viewBox")                          \
  GEOMETRY(WIDTH, "width")                            \
  GEOMETRY(X, "x")                                    \
  PLAIN(X1, "x1")                                     \
  PLAIN(X2, "x2")                                     \
  GEOMETRY(Y, "y")                                    \
  PLAIN(Y1, "y1")                                     \
  PLAIN(Y2, "y2")

typedef enum sj_element {
  SJ_ELEMENT_UNKNOWN,  // also every element of another namespace
#define SJ_X(id, name, is) SJ_ELEMENT_##id,
  SJ_ELEMENTS(SJ_X)
#undef SJ_X
      SJ_ELEMENT_COUNT
} sj_element;

// Attributes and properties have one numbering, with properties first.
typedef enum sj_name {
#define SJ_X(id, name) SJ_PROPERTY_##id,
  SJ_PROPERTIES(SJ_X)
#undef SJ_X
      SJ_PROPERTY_COUNT,
#define SJ_X(id, name) SJ_ATTRIBUTE_##id,
  SJ_ATTRIBUTE_BEFORE_FIRST_ = SJ_PROPERTY_COUNT - 1,
  SJ_ATTRIBUTES(SJ_X, SJ_X)
#undef SJ_X
      SJ_NAME_COUNT,
  SJ_NAME_UNKNOWN = SJ_NAME_COUNT
} sj_name;

// Looks up the local name of an element or attribute, case-sensitively as in XML.
sj_element sj_element_find(const char *name, size_t length);
sj_name sj_attribute_find(const char *name, size_t length);
// Returns the length of -webkit- where a name in lower case goes on behind it, and 0 elsewhere: old names of what is
// now CSS's own.
size_t sj_old_prefix(const char *lower, size_t length);
// Looks up the name in a style declaration, without regard to case as in CSS: a property or a geometry property.
sj_name sj_property_find(const char *name, size_t length);
// Returns the number of a property that would change the picture and is not supported, if this is one; -1 otherwise.
// `at_root`: it is of the root element, which has properties of boxes. The numbers are below 64.
int sj_property_missing(const char *name, size_t length, bool at_root);
// Returns the name of the one with that number; NULL: there are no more.
const char *sj_property_missing_text(int number);
// Returns whether the element is of one of these kinds (SJ_IS_...).
bool sj_element_is(sj_element element, unsigned kinds);
// Returns the name of an enumerator, or "" for one without.
const char *sj_element_name(sj_element element);
const char *sj_name_text(sj_name name);

#endif
