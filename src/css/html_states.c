// The states of HTML elements that the markup alone tells: links and form controls, as a browser shows the page
// before anybody touches it (HTML standard, "Pseudo-classes" and "Form control infrastructure").
#include <string.h>

#include "css/document.h"

typedef enum element_kind {
  KIND_OTHER,
  KIND_A,
  KIND_AREA,
  KIND_LINK,
  KIND_INPUT,
  KIND_BUTTON,
  KIND_SELECT,
  KIND_TEXTAREA,
  KIND_OPTION,
  KIND_OPTGROUP,
  KIND_FIELDSET,
  KIND_FORM,
  KIND_PROGRESS,
  KIND_DETAILS,
  KIND_DIALOG,
  KIND_LEGEND,
  KIND_OUTPUT,
  KIND_OBJECT,
  KIND_COUNT
} element_kind;

static const char *const kind_names[KIND_COUNT] = {[KIND_A] = "a",
                                                   [KIND_AREA] = "area",
                                                   [KIND_LINK] = "link",
                                                   [KIND_INPUT] = "input",
                                                   [KIND_BUTTON] = "button",
                                                   [KIND_SELECT] = "select",
                                                   [KIND_TEXTAREA] = "textarea",
                                                   [KIND_OPTION] = "option",
                                                   [KIND_OPTGROUP] = "optgroup",
                                                   [KIND_FIELDSET] = "fieldset",
                                                   [KIND_FORM] = "form",
                                                   [KIND_PROGRESS] = "progress",
                                                   [KIND_DETAILS] = "details",
                                                   [KIND_DIALOG] = "dialog",
                                                   [KIND_LEGEND] = "legend",
                                                   [KIND_OUTPUT] = "output",
                                                   [KIND_OBJECT] = "object"};

enum {
  ATTRIBUTE_HREF,
  ATTRIBUTE_TYPE,
  ATTRIBUTE_CHECKED,
  ATTRIBUTE_DISABLED,
  ATTRIBUTE_REQUIRED,
  ATTRIBUTE_READONLY,
  ATTRIBUTE_VALUE,
  ATTRIBUTE_PLACEHOLDER,
  ATTRIBUTE_SELECTED,
  ATTRIBUTE_MULTIPLE,
  ATTRIBUTE_SIZE,
  ATTRIBUTE_OPEN,
  ATTRIBUTE_MIN,
  ATTRIBUTE_MAX,
  ATTRIBUTE_NAME,
  ATTRIBUTE_DIR,
  ATTRIBUTE_EDITABLE,
  ATTRIBUTE_COUNT
};

static const char *const attribute_names[ATTRIBUTE_COUNT] = {[ATTRIBUTE_HREF] = "href",
                                                             [ATTRIBUTE_TYPE] = "type",
                                                             [ATTRIBUTE_CHECKED] = "checked",
                                                             [ATTRIBUTE_DISABLED] = "disabled",
                                                             [ATTRIBUTE_REQUIRED] = "required",
                                                             [ATTRIBUTE_READONLY] = "readonly",
                                                             [ATTRIBUTE_VALUE] = "value",
                                                             [ATTRIBUTE_PLACEHOLDER] = "placeholder",
                                                             [ATTRIBUTE_SELECTED] = "selected",
                                                             [ATTRIBUTE_MULTIPLE] = "multiple",
                                                             [ATTRIBUTE_SIZE] = "size",
                                                             [ATTRIBUTE_OPEN] = "open",
                                                             [ATTRIBUTE_MIN] = "min",
                                                             [ATTRIBUTE_MAX] = "max",
                                                             [ATTRIBUTE_NAME] = "name",
                                                             [ATTRIBUTE_DIR] = "dir",
                                                             [ATTRIBUTE_EDITABLE] = "contenteditable"};

typedef struct marker {
  stijl_css_document *d;
  sj_atom kinds[KIND_COUNT], attributes[ATTRIBUTE_COUNT];
  uint8_t *kind;     // per element
  uint32_t *form;    // per element: the form around it
  uint32_t *group;   // per element: the nearest form or fieldset around it
  sj_atoms checked;  // the bytes of group_name of each group that has a checked radio button
} marker;

// Returns the value of an attribute. Documents of HTML hold no loose values.
static sj_atom value_of(const marker *m, uint32_t e, int attribute) {
  return m->attributes[attribute] ? sj_dom_value(m->d, e, SJ_ATOM_EMPTY, m->attributes[attribute]) : SJ_ATOM_NONE;
}
static bool has(const marker *m, uint32_t e, int attribute) { return value_of(m, e, attribute) != SJ_ATOM_NONE; }

static bool value_is(const marker *m, uint32_t e, int attribute, const char *lower) {
  sj_atom value = value_of(m, e, attribute);
  size_t length = strlen(lower);
  return value && sj_atoms_length(&m->d->atoms, value) == length &&
         sj_equal_ignoring_case(sj_atoms_text(&m->d->atoms, value), lower, length);
}

static bool type_among(const marker *m, uint32_t e, const char *types) {
  sj_atom value = value_of(m, e, ATTRIBUTE_TYPE);
  return value && sj_is_among(types, sj_atoms_text(&m->d->atoms, value), sj_atoms_length(&m->d->atoms, value));
}

static const char no_text_types[] = "hidden range color checkbox radio file submit image reset button";
static const char date_types[] = "date month week time datetime-local";

static bool is_empty(const marker *m, uint32_t e, int attribute) {
  sj_atom value = value_of(m, e, attribute);
  return !value || value == SJ_ATOM_EMPTY;
}

// Marks what is disabled by the elements around. A control within a disabled fieldset is disabled, unless it is in the
// first legend of it.
static void inherit_disabled(const marker *m, uint8_t *disabled) {
  const stijl_css_document *d = m->d;
  for (uint32_t e = 0; e < d->count; e++) {
    uint32_t p = d->parent.data[e];
    if (p == SJ_NO_NODE) continue;
    disabled[e] = disabled[p];
    if (m->kind[p] != KIND_FIELDSET || !has(m, p, ATTRIBUTE_DISABLED)) continue;
    bool first_legend = m->kind[e] == KIND_LEGEND;
    for (uint32_t s = d->previous.data[e]; first_legend && s != SJ_NO_NODE; s = d->previous.data[s])
      first_legend = m->kind[s] != KIND_LEGEND;
    if (!first_legend) disabled[e] = 1;
  }
}

static bool decimal(const marker *m, uint32_t e, int attribute, double *out) {
  sj_atom atom = value_of(m, e, attribute);
  if (!atom) return false;
  const char *text = sj_atoms_text(&m->d->atoms, atom);
  double value = 0, unit = 1;
  bool negative = *text == '-', digits = false, point = false;
  for (text += negative; *text; text++) {
    if (*text == '.' && !point) {
      point = true;
    } else if (*text >= '0' && *text <= '9') {
      digits = true;
      value = value * 10 + (*text - '0');
      if (point) unit *= 10;
    } else {
      return false;
    }
  }
  *out = (negative ? -value : value) / unit;
  return digits;
}

// Returns whether an address is one that HTML calls valid, as far as the browser looks: something, an at sign,
// something without spaces.
static bool is_email(const marker *m, uint32_t e) {
  const char *text = sj_atoms_text(&m->d->atoms, value_of(m, e, ATTRIBUTE_VALUE));
  const char *at = strchr(text, '@');
  return at && at != text && at[1] && !strchr(at + 1, '@') && !strpbrk(text, " ,;<>()") && at[1] != '.' && at[1] != '-';
}

static bool is_url(const marker *m, uint32_t e) {
  const char *text = sj_atoms_text(&m->d->atoms, value_of(m, e, ATTRIBUTE_VALUE)), *colon = strchr(text, ':');
  return colon && colon != text && colon[1];
}

// Finds the group of a radio button: those of one name in one form are a group.
static bool group_name(const marker *m, uint32_t e, uint32_t out[2]) {
  out[0] = value_of(m, e, ATTRIBUTE_NAME);
  out[1] = m->form[e];
  return out[0] != SJ_ATOM_NONE && out[0] != SJ_ATOM_EMPTY;
}

static bool radio_group_is_checked(const marker *m, uint32_t e) {
  uint32_t name[2];
  if (has(m, e, ATTRIBUTE_CHECKED)) return true;
  return group_name(m, e, name) && sj_atoms_find(&m->checked, (const char *)name, sizeof name) != SJ_ATOM_NONE;
}

static bool find_groups(marker *m) {
  const stijl_css_document *d = m->d;
  for (uint32_t e = 0; e < d->count; e++) {
    uint32_t parent = d->parent.data[e], name[2];
    bool grouped = parent != SJ_NO_NODE && (m->kind[parent] == KIND_FORM || m->kind[parent] == KIND_FIELDSET);
    m->group[e] = parent == SJ_NO_NODE ? SJ_NO_NODE : grouped ? parent : m->group[parent];
    m->form[e] = parent == SJ_NO_NODE ? SJ_NO_NODE : m->kind[parent] == KIND_FORM ? parent : m->form[parent];
    if (m->kind[e] == KIND_INPUT && value_is(m, e, ATTRIBUTE_TYPE, "radio") && has(m, e, ATTRIBUTE_CHECKED) &&
        group_name(m, e, name) && !sj_atoms_intern(&m->checked, (const char *)name, sizeof name))
      return false;
  }
  return true;
}

// Marks the selected option of a select: where no option is, browsers select the first of a drop-down list themselves.
static void mark_select(const marker *m, uint32_t select, bool *has_value) {
  const stijl_css_document *d = m->d;
  bool multiple = has(m, select, ATTRIBUTE_MULTIPLE);
  double size;
  bool list = multiple || (decimal(m, select, ATTRIBUTE_SIZE, &size) && size > 1);
  uint32_t chosen = SJ_NO_NODE, first = SJ_NO_NODE;
  for (uint32_t e = select + 1; e < d->end.data[select]; e++) {
    if (m->kind[e] != KIND_OPTION) continue;
    if (first == SJ_NO_NODE && !has(m, e, ATTRIBUTE_DISABLED)) first = e;
    if (!has(m, e, ATTRIBUTE_SELECTED)) continue;
    d->states.data[e] |= STIJL_CSS_STATE_DEFAULT | STIJL_CSS_STATE_CHECKED;
    if (!multiple && chosen != SJ_NO_NODE) d->states.data[chosen] &= ~STIJL_CSS_STATE_CHECKED;
    chosen = e;
  }
  if (chosen == SJ_NO_NODE && !list && first != SJ_NO_NODE) {
    chosen = first;
    d->states.data[chosen] |= STIJL_CSS_STATE_CHECKED;
  }
  *has_value = chosen != SJ_NO_NODE;
  // A selected first option with an empty value is a placeholder, and no value.
  if (*has_value && !list && chosen == first && has(m, chosen, ATTRIBUTE_VALUE) && is_empty(m, chosen, ATTRIBUTE_VALUE))
    *has_value = false;
}

static uint64_t input_states(const marker *m, uint32_t e, bool disabled) {
  uint64_t s = 0;
  bool radio = value_is(m, e, ATTRIBUTE_TYPE, "radio"), checkbox = value_is(m, e, ATTRIBUTE_TYPE, "checkbox");
  bool text = !type_among(m, e, no_text_types), date = type_among(m, e, date_types);
  bool number = value_is(m, e, ATTRIBUTE_TYPE, "number"), range = value_is(m, e, ATTRIBUTE_TYPE, "range");
  static const char never_required[] = "hidden range color submit image reset button";
  bool required = has(m, e, ATTRIBUTE_REQUIRED) && !type_among(m, e, never_required);
  s |= required ? STIJL_CSS_STATE_REQUIRED : STIJL_CSS_STATE_OPTIONAL;
  if ((radio || checkbox) && has(m, e, ATTRIBUTE_CHECKED)) s |= STIJL_CSS_STATE_CHECKED | STIJL_CSS_STATE_DEFAULT;
  if (radio && !radio_group_is_checked(m, e)) s |= STIJL_CSS_STATE_INDETERMINATE;
  bool read_only = has(m, e, ATTRIBUTE_READONLY);
  if (text && !read_only && !disabled) s |= STIJL_CSS_STATE_READ_WRITE;
  if (text && !date && !number && has(m, e, ATTRIBUTE_PLACEHOLDER) && is_empty(m, e, ATTRIBUTE_VALUE))
    s |= STIJL_CSS_STATE_PLACEHOLDER_SHOWN;
  if (number && has(m, e, ATTRIBUTE_PLACEHOLDER) && is_empty(m, e, ATTRIBUTE_VALUE))
    s |= STIJL_CSS_STATE_PLACEHOLDER_SHOWN;
  static const char barred[] = "hidden reset button";
  if (disabled || (read_only && text) || type_among(m, e, barred)) return s;
  bool valid = true, bounded = range, out = false;
  if (required) {
    if (radio)
      valid = radio_group_is_checked(m, e);
    else if (checkbox)
      valid = has(m, e, ATTRIBUTE_CHECKED);
    else
      valid = !is_empty(m, e, ATTRIBUTE_VALUE) && !value_is(m, e, ATTRIBUTE_TYPE, "file");
  }
  if (number) {
    double value, low, high;
    bool has_low = decimal(m, e, ATTRIBUTE_MIN, &low), has_high = decimal(m, e, ATTRIBUTE_MAX, &high);
    bounded = has_low || has_high;
    if (decimal(m, e, ATTRIBUTE_VALUE, &value)) out = (has_low && value < low) || (has_high && value > high);
  } else if (date) {
    bounded = has(m, e, ATTRIBUTE_MIN) || has(m, e, ATTRIBUTE_MAX);
    sj_atom value = value_of(m, e, ATTRIBUTE_VALUE), low = value_of(m, e, ATTRIBUTE_MIN);
    sj_atom high = value_of(m, e, ATTRIBUTE_MAX);
    const sj_atoms *atoms = &m->d->atoms;
    if (value && value != SJ_ATOM_EMPTY)
      out = (low && strcmp(sj_atoms_text(atoms, value), sj_atoms_text(atoms, low)) < 0) ||
            (high && strcmp(sj_atoms_text(atoms, value), sj_atoms_text(atoms, high)) > 0);
  }
  if (bounded) s |= out ? STIJL_CSS_STATE_OUT_OF_RANGE : STIJL_CSS_STATE_IN_RANGE;
  if (!is_empty(m, e, ATTRIBUTE_VALUE)) {
    if (value_is(m, e, ATTRIBUTE_TYPE, "email") && !is_email(m, e)) valid = false;
    if (value_is(m, e, ATTRIBUTE_TYPE, "url") && !is_url(m, e)) valid = false;
  }
  return s | (valid && !out ? STIJL_CSS_STATE_VALID : STIJL_CSS_STATE_INVALID);
}

static void mark_control(const marker *m, uint32_t e, bool disabled) {
  stijl_css_document *d = m->d;
  uint64_t s = disabled ? STIJL_CSS_STATE_DISABLED : STIJL_CSS_STATE_ENABLED;
  bool has_value;
  switch (m->kind[e]) {
    case KIND_INPUT: s |= input_states(m, e, disabled); break;
    case KIND_TEXTAREA: {
      bool required = has(m, e, ATTRIBUTE_REQUIRED), empty = !(d->flags.data[e] & SJ_NODE_TEXT);
      bool read_only = has(m, e, ATTRIBUTE_READONLY);
      s |= required ? STIJL_CSS_STATE_REQUIRED : STIJL_CSS_STATE_OPTIONAL;
      if (!read_only && !disabled) s |= STIJL_CSS_STATE_READ_WRITE;
      if (empty && has(m, e, ATTRIBUTE_PLACEHOLDER)) s |= STIJL_CSS_STATE_PLACEHOLDER_SHOWN;
      if (!disabled && !read_only) s |= required && empty ? STIJL_CSS_STATE_INVALID : STIJL_CSS_STATE_VALID;
      break;
    }
    case KIND_SELECT: {
      bool required = has(m, e, ATTRIBUTE_REQUIRED);
      s |= required ? STIJL_CSS_STATE_REQUIRED : STIJL_CSS_STATE_OPTIONAL;
      mark_select(m, e, &has_value);
      if (!disabled) s |= required && !has_value ? STIJL_CSS_STATE_INVALID : STIJL_CSS_STATE_VALID;
      break;
    }
    case KIND_BUTTON:
      if (!disabled && !value_is(m, e, ATTRIBUTE_TYPE, "button") && !value_is(m, e, ATTRIBUTE_TYPE, "reset"))
        s |= STIJL_CSS_STATE_VALID;
      break;
    case KIND_FIELDSET: s |= STIJL_CSS_STATE_VALID; break;
    default: break;
  }
  d->states.data[e] |= s;
}

static bool is_submit_button(const marker *m, uint32_t e) {
  if (m->kind[e] == KIND_BUTTON)
    return !value_is(m, e, ATTRIBUTE_TYPE, "button") && !value_is(m, e, ATTRIBUTE_TYPE, "reset");
  return m->kind[e] == KIND_INPUT &&
         (value_is(m, e, ATTRIBUTE_TYPE, "submit") || value_is(m, e, ATTRIBUTE_TYPE, "image"));
}

// Marks the first submit button of each form as its default. `has_default` has a field for each element, all false.
static void mark_default_buttons(const marker *m, uint8_t *has_default) {
  stijl_css_document *d = m->d;
  for (uint32_t e = 0; e < d->count; e++) {
    if (!is_submit_button(m, e) || m->form[e] == SJ_NO_NODE || has_default[m->form[e]]) continue;
    has_default[m->form[e]] = 1;
    d->states.data[e] |= STIJL_CSS_STATE_DEFAULT;
  }
}

// Marks a form or fieldset with an invalid control in it as invalid, and so the fieldsets around and the form around
// these. Inner ones come behind outer ones, so that going backwards each is complete before it counts for the one
// around it.
static void mark_invalid_groups(const marker *m) {
  stijl_css_document *d = m->d;
  for (uint32_t left = d->count; left > 0; left--) {
    uint32_t e = left - 1;
    uint32_t group = m->group[e];
    if (!(d->states.data[e] & STIJL_CSS_STATE_INVALID) || m->kind[e] == KIND_FORM || group == SJ_NO_NODE) continue;
    d->states.data[group] = (d->states.data[group] & ~STIJL_CSS_STATE_VALID) | STIJL_CSS_STATE_INVALID;
  }
}

static void mark_element(const marker *m, uint32_t e, bool disabled) {
  stijl_css_document *d = m->d;
  const char *name = sj_atoms_text(&d->atoms, d->name.data[e]);
  if (!strchr(name, '-')) d->states.data[e] |= STIJL_CSS_STATE_DEFINED;
  uint32_t parent = d->parent.data[e];
  bool rtl = parent != SJ_NO_NODE && (d->states.data[parent] & STIJL_CSS_STATE_RTL);
  if (value_is(m, e, ATTRIBUTE_DIR, "rtl")) rtl = true;
  if (value_is(m, e, ATTRIBUTE_DIR, "ltr")) rtl = false;
  if (rtl) d->states.data[e] |= STIJL_CSS_STATE_RTL;
  bool editable = has(m, e, ATTRIBUTE_EDITABLE) && !value_is(m, e, ATTRIBUTE_EDITABLE, "false");
  if (editable) d->states.data[e] |= STIJL_CSS_STATE_READ_WRITE;
  switch (m->kind[e]) {
    case KIND_A:
    case KIND_AREA:
      if (has(m, e, ATTRIBUTE_HREF)) d->states.data[e] |= STIJL_CSS_STATE_LINK;
      break;
    case KIND_INPUT:
    case KIND_BUTTON:
    case KIND_SELECT:
    case KIND_TEXTAREA:
    case KIND_FIELDSET: mark_control(m, e, disabled || has(m, e, ATTRIBUTE_DISABLED)); break;
    case KIND_OPTGROUP:
      d->states.data[e] |= has(m, e, ATTRIBUTE_DISABLED) ? STIJL_CSS_STATE_DISABLED : STIJL_CSS_STATE_ENABLED;
      break;
    case KIND_OPTION: {
      bool off = has(m, e, ATTRIBUTE_DISABLED) ||
                 (parent != SJ_NO_NODE && m->kind[parent] == KIND_OPTGROUP && has(m, parent, ATTRIBUTE_DISABLED));
      d->states.data[e] |= off ? STIJL_CSS_STATE_DISABLED : STIJL_CSS_STATE_ENABLED;
      break;
    }
    case KIND_FORM:
    case KIND_OUTPUT:
    case KIND_OBJECT:
      if (m->kind[e] == KIND_FORM) d->states.data[e] |= STIJL_CSS_STATE_VALID;
      break;
    case KIND_PROGRESS:
      if (!has(m, e, ATTRIBUTE_VALUE)) d->states.data[e] |= STIJL_CSS_STATE_INDETERMINATE;
      break;
    case KIND_DETAILS:
    case KIND_DIALOG:
      if (has(m, e, ATTRIBUTE_OPEN)) d->states.data[e] |= STIJL_CSS_STATE_OPEN;
      break;
    default: break;
  }
}

bool sj_css_html_states(stijl_css_document *d) {
  marker m = {.d = d};
  for (uint32_t e = 0; e < d->count; e++) d->states.data[e] = 0;
  m.kind = sj_alloc_zero(d->context, d->count);
  uint8_t *disabled = sj_alloc_zero(d->context, d->count), *has_default = sj_alloc_zero(d->context, d->count);
  m.form = sj_alloc_array(d->context, d->count, sizeof *m.form);
  m.group = sj_alloc_array(d->context, d->count, sizeof *m.group);
  bool good = m.kind && disabled && has_default && m.form && m.group && sj_atoms_init(&m.checked, d->context);
  if (good) {
    for (int i = 1; i < KIND_COUNT; i++) m.kinds[i] = sj_atoms_find(&d->atoms, kind_names[i], strlen(kind_names[i]));
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
      m.attributes[i] = sj_atoms_find(&d->atoms, attribute_names[i], strlen(attribute_names[i]));
    for (uint32_t e = 0; e < d->count; e++) {
      if (!(d->flags.data[e] & SJ_NODE_HTML)) continue;
      for (int i = 1; i < KIND_COUNT; i++)
        if (m.kinds[i] && d->name.data[e] == m.kinds[i]) m.kind[e] = (uint8_t)i;
    }
    inherit_disabled(&m, disabled);
    good = find_groups(&m);
    for (uint32_t e = 0; e < d->count; e++) {
      if (d->flags.data[e] & SJ_NODE_HTML)
        mark_element(&m, e, disabled[e]);
      else
        d->states.data[e] = STIJL_CSS_STATE_DEFINED;
    }
    mark_default_buttons(&m, has_default);
    mark_invalid_groups(&m);
  }
  sj_atoms_finish(&m.checked);
  sj_free(d->context, m.form);
  sj_free(d->context, m.group);
  sj_free(d->context, m.kind);
  sj_free(d->context, disabled);
  sj_free(d->context, has_default);
  return good;
}
