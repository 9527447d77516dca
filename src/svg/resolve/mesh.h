// Resolves mesh gradients.
#ifndef SJ_SVG_RESOLVE_MESH_H
#define SJ_SVG_RESOLVE_MESH_H

#include "svg/resolve/job.h"
#include "svg/resolve/paint.h"

// `frame` is that of the painted element.
sj_server_result sj_resolve_mesh(sj_resolver *r, uint32_t mesh, const sj_resolve_frame *frame, sj_tree_server *out);

#endif
