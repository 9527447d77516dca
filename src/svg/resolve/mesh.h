// Resolves mesh gradients.
#ifndef SJ_SVG_RESOLVE_MESH_H
#define SJ_SVG_RESOLVE_MESH_H

#include "svg/resolve/job.h"
#include "svg/resolve/paint.h"

// Resolves a mesh gradient as the paint of an element, whose frame is `frame`.
sj_server_result sj_resolve_mesh(sj_resolver *r, uint32_t mesh, const sj_resolve_frame *frame, sj_tree_server *out);

#endif
