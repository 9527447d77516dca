// @namespace: prefixes and their addresses.
#include "css/selector.h"

bool sj_css_namespace_set(sj_css_namespaces *n, stijl_context *context, sj_atom prefix, sj_atom address) {
  if (!n->prefixes.context && !sj_atoms_init(&n->prefixes, context)) return false;
  sj_atom known = sj_atoms_intern(&n->prefixes, (const char *)&prefix, sizeof prefix);
  if (!known) return false;
  size_t place = known - SJ_ATOM_FIRST;
  if (place == n->addresses.count) return sj_array_push(context, &n->addresses, address);
  n->addresses.data[place] = address;
  return true;
}

sj_atom sj_css_namespace_get(const sj_css_namespaces *n, sj_atom prefix) {
  if (!n->prefixes.context) return SJ_ATOM_NONE;
  sj_atom known = sj_atoms_find(&n->prefixes, (const char *)&prefix, sizeof prefix);
  return known ? n->addresses.data[known - SJ_ATOM_FIRST] : SJ_ATOM_NONE;
}

void sj_css_namespaces_finish(sj_css_namespaces *n, stijl_context *context) {
  sj_atoms_finish(&n->prefixes);
  sj_array_finish(context, &n->addresses);
}
