// Prepares the marks of text-emphasis.
#include "svg/resolve/job.h"
#include "svg/resolve/text_content.h"

// Returns the mark of an element's text; 0: none.
static uint32_t mark_of(const sj_text_content *t, const sj_font_values *font) {
  bool vertical = t->scopes.data[0].style.font.writing_mode == SJ_WRITING_VERTICAL;
  switch (font->emphasis.mark) {
    case SJ_EMPHASIS_FILLED: return vertical ? 0xfe45 : 0x25cf;
    case SJ_EMPHASIS_OPEN: return vertical ? 0xfe46 : 0x25cb;
    default: return font->emphasis.mark;
  }
}

// Adds a span without characters for the marks of each that has some. They may have a colour of their own, and so are
// in a scope of their own.
bool sj_text_add_marks(sj_text_content *t) {
  size_t count = t->spans.count;
  bool vertical = t->scopes.data[0].style.font.writing_mode == SJ_WRITING_VERTICAL;
  for (size_t i = 0; i < count; i++) {
    sj_text_scope scope = t->scopes.data[t->span_scopes.data[i]];
    const sj_emphasis *emphasis = &scope.style.font.emphasis;
    uint32_t mark = mark_of(t, &scope.style.font);
    if (!mark) continue;
    t->spans.data[i].mark = mark;
    t->spans.data[i].mark_span = (uint32_t)t->spans.count;
    t->spans.data[i].mark_under = emphasis->under & (vertical ? 2 : 1);
    if (emphasis->color.given) {
      bool current = emphasis->color.kind == SJ_COLOR_CURRENT;
      scope.style.fill =
          (sj_paint_value){.kind = SJ_PAINT_VALUE_COLOR, .color = current ? scope.style.color : emphasis->color.value};
      scope.style.stroke.kind = SJ_PAINT_VALUE_NONE;
    }
    sj_svg_span span = t->spans.data[i];
    span.mark = 0;
    span.end = (uint32_t)t->characters.count;
    span.paint = t->spans.data[t->spans.count - 1].paint + 1;
    for (int line = 0; line < 3; line++) span.lines[line] = false;
    scope.first = scope.end;
    stijl_context *context = t->r->job->context;
    if (!sj_text_remember(t, sj_array_push(context, &t->scopes, scope) && sj_array_push(context, &t->spans, span) &&
                                 sj_array_push(context, &t->span_scopes, (uint32_t)t->scopes.count - 1)))
      return false;
  }
  return true;
}
