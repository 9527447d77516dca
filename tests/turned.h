// Documents whose filters work in rotated and skewed spaces, for tests that draw them in parts.
#ifndef SJ_TURNED_H
#define SJ_TURNED_H

#include <stdio.h>

static const char *const turned_filters[][2] = {
    {"blur", "<feGaussianBlur stdDeviation='3 5'/>"},
    {"small blur", "<feGaussianBlur stdDeviation='.7'/>"},
    {"wrapped blur", "<feGaussianBlur stdDeviation='4' edgeMode='wrap'/>"},
    {"drop shadow", "<feDropShadow dx='7' dy='5' stdDeviation='2' flood-color='navy'/>"},
    {"turbulence",
     "<feTurbulence baseFrequency='.07' numOctaves='2'/><feComposite in2='SourceGraphic' operator='atop'/>"},
    {"stitched", "<feTurbulence baseFrequency='.05' type='fractalNoise' stitchTiles='stitch'/>"},
    {"point light",
     "<feGaussianBlur in='SourceAlpha' stdDeviation='2'/><feDiffuseLighting surfaceScale='4'>"
     "<fePointLight x='20' y='10' z='15'/></feDiffuseLighting>"},
    {"spot light",
     "<feSpecularLighting in='SourceAlpha' surfaceScale='3' specularExponent='6'>"
     "<feSpotLight x='0' y='0' z='30' pointsAtX='40' pointsAtY='30' limitingConeAngle='40'/></feSpecularLighting>"},
    {"tile",
     "<feFlood x='15' y='12' width='9' height='7' flood-color='teal'/><feGaussianBlur stdDeviation='1'/>"
     "<feTile/><feBlend in2='SourceGraphic' mode='screen'/>"},
    {"displacement",
     "<feTurbulence baseFrequency='.05'/><feDisplacementMap in='SourceGraphic' scale='30' xChannelSelector='R' "
     "yChannelSelector='G'/>"},
    {"morphology", "<feMorphology operator='dilate' radius='3 1'/><feMorphology radius='1'/>"},
    {"convolution", "<feConvolveMatrix order='3' kernelMatrix='1 0 -1 2 0 -2 1 0 -1' preserveAlpha='true'/>"},
    {"wrapped convolution", "<feConvolveMatrix order='5 1' kernelMatrix='1 2 3 2 1' edgeMode='wrap'/>"},
    {"offset", "<feOffset dx='6.4' dy='-9.6'/>"},
    {"image", "<feImage href='#inner'/><feMerge><feMergeNode/><feMergeNode in='SourceGraphic'/></feMerge>"},
    {"image alone", "<feImage href='#inner'/>"},
    {"transfer", "<feComponentTransfer><feFuncA type='table' tableValues='.2 1'/></feComponentTransfer>"},
    {"nothing", ""},
};
enum { TURNED_FILTERS = sizeof turned_filters / sizeof turned_filters[0] };

static const char *const turned_transforms[] = {
    "translate(50 20) rotate(30)",
    "translate(30 10) skewX(-40) scale(.8 1.3)",
    "translate(70 55) rotate(-105) scale(-1.2 .7)",
};
enum { TURNED_TRANSFORMS = sizeof turned_transforms / sizeof turned_transforms[0] };

enum { TURNED_WIDTH = 97, TURNED_HEIGHT = 61, TURNED_TEXT = 3000 };

// Makes a document of what is filtered: opaque and transparent shapes, some of which have turned filters of their own,
// upright ones within turned ones, and an element that feImage shows.
static inline void turned_document(int filter, int transform, char text[TURNED_TEXT]) {
  snprintf(text, TURNED_TEXT,
           "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'>"
           "<filter id='f' x='-.2' y='-.2' width='1.4' height='1.4'>%s</filter>"
           "<filter id='soft'><feGaussianBlur stdDeviation='1.5'/></filter>"
           "<g id='unused' display='none'><g id='inner' transform='rotate(20)' filter='url(#soft)'>"
           "<path d='M5-5h40v30z' fill='orange'/></g></g>"
           "<rect width='100%%' height='100%%' fill='#def'/>"
           "<g transform='%s' filter='url(#f)'><ellipse cx='20' cy='16' rx='30' ry='18' fill='maroon'/>"
           "<rect x='-8' y='2' width='25' height='30' fill='lime' fill-opacity='.5' filter='url(#soft)'/>"
           "<rect width='30' height='9' transform='translate(3 3) rotate(50)' stroke='blue' filter='url(#soft)'/></g>"
           "</svg>",
           TURNED_WIDTH, TURNED_HEIGHT, turned_filters[filter][1], turned_transforms[transform]);
}

#endif
