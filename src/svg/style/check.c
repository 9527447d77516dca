#include "base/budget.h"
#include "css/variables.h"
#include "svg/parse/values.h"
#include "svg/style/property.h"

// Returns whether a value that is not understood is worth a warning. Values with a prefix such as "-webkit-", and
// filter: alpha(), are meant for one browser, and stand beside what others understand. An empty value asks for nothing.
// One with var() has no value until the variables are replaced.
static bool is_to_be_checked(const sj_declared *d) {
  if (sj_is_wide_keyword(d->value, d->length)) return false;
  if (d->name == SJ_PROPERTY_FILTER && d->length > 6 && sj_is_keyword(d->value, 6, "alpha(")) return false;
  bool prefixed = d->length > 1 && d->value[0] == '-' && (d->value[1] | 32) >= 'a' && (d->value[1] | 32) <= 'z';
  return d->length && !prefixed && !sj_css_has_variables(d->value, d->length);
}

void sj_document_check_values(sj_document *document) {
  for (size_t i = 0; i < document->declared.count; i++) {
    const sj_declared *d = &document->declared.data[i];
    if (!sj_context_check(document->context, SJ_WORK_VALUE + d->length * SJ_WORK_BYTE)) return;
    if (!is_to_be_checked(d) || sj_property_is_valid(sj_budget_of(document->context), d)) continue;
    if (document->invalid_count++ == 0) document->first_invalid = i;
  }
}
