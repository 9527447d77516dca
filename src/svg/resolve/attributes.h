// Reads lengths, units and conditions of elements.
#ifndef SJ_SVG_RESOLVE_ATTRIBUTES_H
#define SJ_SVG_RESOLVE_ATTRIBUTES_H

#include "svg/resolve/job.h"

typedef enum sj_axis { SJ_AXIS_X, SJ_AXIS_Y, SJ_AXIS_DIAGONAL } sj_axis;

// Returns what 100% stands for along an axis.
float sj_frame_axis(const sj_resolve_frame *frame, sj_axis axis);
float sj_resolve_length(const sj_resolver *r, const sj_resolve_frame *frame, sj_length length, sj_axis axis);
float sj_resolve_computed(const sj_resolve_frame *frame, sj_computed_length length, sj_axis axis);
// Reads a geometry property or plain attribute as a length in user units. Returns false if it is absent, invalid, or
// `auto`.
bool sj_length_attribute(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_name name,
                         sj_axis axis, float *out);
// Returns whether the attribute is objectBoundingBox; `fallback` where it is neither that nor userSpaceOnUse.
bool sj_units_are_box(const sj_string *attribute, bool fallback);
// Returns whether an element's systemLanguage, requiredFeatures and requiredExtensions allow drawing it. Every feature
// counts as supported, as in SVG 2.
bool sj_conditions_hold(const sj_resolver *r, uint32_t element);

#endif
