// What a picture lacks of what its document asks for is told: once each, and nothing else is.
#include "svg_draw.h"
#include "test.h"

typedef struct omission_case {
  const char *text, *warning;  // NULL: none
} omission_case;

static void check(const omission_case *cases, size_t count) {
  static drawn d;
  for (size_t i = 0; i < count; i++) {
    draw_svg(cases[i].text, NULL, &d);
    if (d.result || d.warnings != (cases[i].warning != NULL))
      sj_test_fail(__FILE__, __LINE__, "%s: %d warnings (%s)", cases[i].text, d.warnings, d.warning);
    else if (cases[i].warning && !strstr(d.warning, cases[i].warning))
      sj_test_fail(__FILE__, __LINE__, "%s: \"%s\"", cases[i].text, d.warning);
  }
}

#define CHECK_CASES(cases) check(cases, sizeof cases / sizeof *cases)

// A character that no font has; a build without text warns of any.
#define NO_GLYPH "&#x10fffd;"
#define STOPS "<stop/><stop offset='1' stop-color='red'/>"
#define HTML(content) \
  "<foreignObject width='9' height='9'><div xmlns='http://www.w3.org/1999/xhtml'>" content "</div></foreignObject>"
#define FILLED "<rect width='9' height='9' fill='url(#g)'/>"

TEST(each_omission_is_told_once) {
  if (!have_svg()) SKIP("built without SVG");
  static const omission_case cases[] = {
      {"<!DOCTYPE svg [<!ENTITY e SYSTEM 'file:///e'>]>" SVG("<desc>&e;</desc><g>&e;</g>"), "external entities"},
      {SVG("<text y='9'>" NO_GLYPH "</text><text y='9'>" NO_GLYPH "</text>"), "text"},
      {SVG("<clipPath id='c'><text y='9'>" NO_GLYPH
           "</text></clipPath><rect width='9' height='9' clip-path='url(#c)'/>"),
       "text"},
      {SVG("<switch><text y='9'>" NO_GLYPH "</text></switch>"), "text"},
      {SVG("<defs><text id='t' y='9'>" NO_GLYPH "</text></defs><use href='#t'/><use href='#t'/>"), "text"},
      {SVG("<text><tspan>" NO_GLYPH "</tspan></text>"), "text"},
      {SVG(HTML("<input/><input/>") HTML("<input/>")), "in HTML, <input> is not supported"},
      {SVG(HTML("<p>x<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi></math></p>")), NULL},
      {SVG(HTML("<math xmlns='http://www.w3.org/1998/Math/MathML'><mtext><b/></mtext></math>")), "a token of MathML"},
      {SVG(HTML("<mi xmlns='http://www.w3.org/1998/Math/MathML'>x</mi>")), "in HTML, <mi>"},
      {SVG(HTML("<p><ruby>x<rt>y</rt></ruby></p>")), "in HTML, <ruby>"},
      {SVG(HTML("<p style='-webkit-columns: 2'/>")), "columns: 2"},
      {SVG(HTML("<p style='border-start-end-radius: 4px'/>")), "border-start-end-radius: 4px"},
      {SVG(HTML("<p style='-webkit-order: 0; aspect-ratio: auto'/>")), NULL},
      {SVG("<switch>" HTML("<div style='float: left'/>") "<rect width='9' height='9'/></switch>"), "float: left"},
      {SVG("<style>div { display: grid }</style>" HTML("<div/>")), "display: grid"},
      {SVG(HTML("<p style='width: min(50%, 9px)'/>")), "in HTML, width: min(50%, 9px) is not supported"},
      {SVG(HTML("<p style='display: ruby'/>")), "display: ruby"},
      {SVG(HTML("<p style='border: 3px ridge red'/>")), NULL},
      {SVG(HTML("<p style='-webkit-line-clamp: 1'/>")), "-webkit-line-clamp: 1"},
      {SVG(HTML("<p style='border-inline-end-width: 2px'/>")), "border-inline-end-width: 2px"},
      {SVG(HTML("<p style='writing-mode: vertical-rl'/>")), "writing-mode"},
      {SVG(HTML("<p style='direction: rtl; unicode-bidi: bidi-override'/>")), "unicode-bidi"},
      {SVG(HTML("<p style='align-content: center'/>")), "align-content of a block"},
      {SVG(HTML("<li style='list-style: inside'/>")), "list-style: inside"},
      {SVG(HTML("<li style='list-style-type: thai'/>")), "list-style: thai"},
      {SVG(HTML("<p style='text-indent: 3px hanging'/>")), "text-indent: 3px hanging"},
      {SVG(HTML("<table><col style='background: red'/></table>")), NULL},
      {SVG(HTML(
           "<table style='border-collapse: collapse'><colgroup style='border: 1px solid'><col/></colgroup></table>")),
       "border of a group of columns"},
      {SVG(HTML("<table style='border-collapse: collapse'><tbody style='border: 1px solid; background: red'/>"
                "<col style='border: 1px none'/></table>")),
       NULL},
      {SVG("<style>p::first-line { color: red }</style>" HTML("<p class='a'/>")), "in HTML, ::first-line"},
      {SVG("<style>div p:First-Letter { color: red }</style>" HTML("<div><p/></div>")), NULL},
      {SVG("<style>p.b::first-line, g::first-letter, p::before, p::after, p::marker, p::selection, p::before::marker {"
           "content: 'x'; color: red }</style><g/>" HTML("<p class='a'>e</p>")),
       NULL},
      {SVG("<style>p::before { content: leader('.') }</style>" HTML("<p/>")), "in HTML, content"},
      {SVG("<style>p::before { content: counter(a, thai) }</style>" HTML("<p/>")), "in HTML, counter style: thai"},
      {SVG(HTML("<p style='contain: size'/>")), "contain: size"},
      {SVG(HTML("<p style='text-wrap: balance'/>")), "text-wrap: balance"},
      {SVG(HTML("<p style='justify-self: end'/>")), "justify-self: end"},
      {SVG(HTML("<p style='content: url(a.png)'/>")), "content: url(a.png)"},
      {SVG(HTML("<p style='outline: auto'/>")), "the property outline"},
      {SVG(HTML("<p style='overflow: scroll'/>")), "a scroll bar"},
      {SVG(HTML("<p style='overflow: auto; height: 1px'>a<br/>a</p>")), "a scroll bar"},
      {SVG(HTML("<b style='position: relative; z-index: 1'/>")), "z-index in a line"},
      {SVG(HTML("<i style='mix-blend-mode: multiply'>a</i>")), "mix-blend-mode of an inline element"},
      {SVG(HTML("<i style='filter: blur(1px)'>a</i>")), "filter of an inline element"},
      {SVG(HTML("<i style='clip-path: inset(1px)'>a</i>")), "clip-path of an inline element"},
      {SVG(HTML("<img style='border-radius: 3px'/>")), "border-radius of an image"},
      {SVG(HTML("<p style='aspect-ratio: 1'/>")), "aspect-ratio: 1"},
      {SVG(HTML("<p style='order: 1; order: 0; hyphens: manual; z-index: 9; content: \"x\"; counter-reset: a'/>")),
       "order: 1"},
      {SVG(HTML("<table rules='all'/>")), "<table rules>"},
      {SVG(HTML("<table><col width='9'/></table>")), "<col width>"},
      {SVG(HTML("<ol start='0'><li/></ol>")), NULL},
      {SVG(HTML("<table align='right'/>")), "float: right"},
      {SVG(HTML("<dialog open=''/>")), "<dialog>"},
      {SVG(HTML("<p style='background-image: cross-fade(red, blue)'/>")), "background-image: cross-fade(red, blue)"},
      {SVG("<script>x</script>"), "script"},
      {SVG("<rect width='9' height='9' filter='blur(1px, 2px)'/>"), "filter"},
      {SVG("<style>rect { filter: blur(2px) none }</style><g><rect width='9' height='9'/><rect/></g>"), "filter"},
      {SVG("<blob/><blob/>"), "<blob>"},
      {SVG("<solidcolor id='m'/><rect width='9' height='9' fill='url(#m)'/>"), "<solidcolor>"},
      {SVG("<use href='other.svg#a'/><use href='other.svg#b'/>"), "use of other.svg is not drawn: "},
      {SVG("<use xlink:href='http://example.org/a.svg#a'/>"), "use of http://example.org/a.svg is not drawn: "},
      {SVG("<use href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E#a\"/>"), "no such element"},
      {SVG("<use href='data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==#a'/>"),
       "no SVG document"},
      {SVG("<rect width='9' height='9' fill='url(a.svg#g)'/>"), "a.svg#g"},
      {SVG("<rect width='9' height='9' mask='url(a.svg#m)'/>"), "a.svg#m"},
      {SVG("<rect width='9' height='9' clip-path='url(a.svg#c)'/>"), "a.svg#c"},
      {SVG("<path d='M0 0H9' marker-end='url(a.svg#c)' stroke='red'/>"), "a.svg#c"},
      {SVG("<linearGradient id='g' href='a.svg#g'/><rect width='9' height='9' fill='url(#g)'/>"), "a.svg#g"},
      {SVG("<style>rect { Mask-Border: url(#m); offset-path: none }</style><rect width='9' height='9'/>"),
       "mask-border"},
      {SVG("<rect width='9' height='9' transform='rotate(4'/><rect width='9' height='9' transform='x'/>"), "rotate(4"},
      {SVG("<rect width='9' height='9' style='transform: rotate3d(1, 1, 1, 45deg)'/>"), "rotate3d"},
      {SVG("<rect width='9' height='9' style='rotate: x 45deg'/>"), "x 45deg"},
      {SVG("<rect width='9' height='9' style='translate: x'/><g style='scale: 1 x'/>"), "transform \"x\""},
      {SVG("<rect width='9' height='9' style='outline: 1px solid'/>"), "outline"},
      {SVG("<rect width='9' height='9' style='zoom: 2'/>"), "zoom"},
      {SVG("<rect width='9' height='9' style='content-visibility: hidden'/>"), "content-visibility"},
      {"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' style='border-image: url(a.png)'/>",
       "border-image"},
      {"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' style='border: 1px solid; outline: 2px solid'/>",
       NULL},
      {"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' style='background-image: url(a.png)'/>",
       "image a.png is not drawn"},
      {SVG("<rect width='9' height='9' style='clip-path: shape(from 0 0, close)'/>"), "shape("},
      {SVG("<mask id='m' style='mask: url(#m), url(#n)'/><rect width='9' height='9' mask='url(#m)'/>"),
       "url(#m), url(#n)"},
      {SVG("<rect width='9foo' height='9'/><rect width='x' height='9'/>"), "the value of width: 9foo"},
      {SVG("<circle cx='1' cy='1' r='1 2'/>"), "the value of r: 1 2"},
      {SVG("<polygon points='0 0 9 9 9 x'/>"), "the value of points: 0 0 9 9 9 x"},
      {SVG("<polygon points='0 0 9 9 9'/>"), "the value of points: 0 0 9 9 9"},
      {SVG("<linearGradient id='g' x2='z'><stop offset='0'/><stop offset='1'/></linearGradient>" FILLED), "x2: z"},
      {SVG("<linearGradient id='g'><stop offset='q'/><stop offset='1'/></linearGradient>" FILLED), "offset: q"},
      {SVG("<svg viewBox='0 0 9'><rect width='9' height='9'/></svg>"), "viewBox: 0 0 9"},
      {SVG("<svg width='9' height='9' viewBox='0 0 9 9' preserveAspectRatio='mid'><rect/></svg>"),
       "preserveAspectRatio: mid"},
      {SVG("<filter id='f'><feOffset dx='1px'/></filter><rect width='9' height='9' filter='url(#f)'/>"), "dx: 1px"},
      {SVG("<filter id='f'><feBlend mode='mul'/></filter><rect width='9' height='9' filter='url(#f)'/>"), "mode: mul"},
      {SVG("<path d='M0 0H9V9L1'/>"), "not understood: its end"},
      {SVG("<path d='M0 0H9V9Q1 x'/><path d='M0'/>"), "not understood: x"},
      {SVG("<filter id='f'><feOffset in='BackgroundImage'/><feOffset in='BackgroundAlpha'/></filter>"
           "<rect width='9' height='9' filter='url(#f)'/>"),
       "BackgroundImage"},
      {"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' width='9foo'/>", "the value of width: 9foo"},
      {SVG("<style type='text/less'>a { b { c: d } }</style><style type='text/less'>x</style>"), "text/less"},
      {"<?xml-stylesheet type='text/xsl' href='a.xsl'?><svg xmlns='http://www.w3.org/2000/svg'/>", "text/xsl"},
      {"<!DOCTYPE svg [<!ENTITY % p '<!ENTITY e \"a\">'>%p;]>" SVG("<desc>&e;&e;</desc><g id='&e;'/>"), "entities"},
      {"<!DOCTYPE svg [<!ENTITY % p '<!ENTITY e \"a\">'>%p;]>" SVG("<g id='&e;'/>"), "entities"},
      {"<!DOCTYPE svg SYSTEM 'svg.dtd'>" SVG("<desc>&e;</desc>"), "entities"},
      // A document within the document tells with it.
      {SVG("<text>" NO_GLYPH "</text><image width='9' height='9' href=\"data:image/svg+xml,%3Csvg "
           "xmlns='http://www.w3.org/2000/svg'%3E%3Ctext%3E%26%23x10fffd;%3C/text%3E%3C/svg%3E\"/>"),
       "text"},
  };
  CHECK_CASES(cases);
}

// What has a name is told once for each, but no document makes up more than some.
TEST(each_name_is_told) {
  if (!have_svg()) SKIP("built without SVG");
  static const struct {
    const char *text;
    int warnings;
  } cases[] = {
      {SVG(HTML("<p style='float: left; order: 1'/><p style='float: right'/><input/><select/><input/>")), 4},
      {SVG("<g style='outline: auto; zoom: 2; outline-style: auto'/><g style='zoom: 3'/>"), 3},
      {SVG("<blob/><drop/><blob/>"), 2},
      {SVG("<g style='outline: 0; all: initial'/>"), 1},
      // The root's box is not HTML's, and what is inherited need not stand in HTML.
      {"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' style='border-image: url(a); hyphens: auto'>" HTML(
           "x") "</svg>",
       2},
  };
  static drawn d;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    draw_svg(cases[i].text, NULL, &d);
    if (d.warnings != cases[i].warnings)
      sj_test_fail(__FILE__, __LINE__, "%s: %d warnings (%s)", cases[i].text, d.warnings, d.warning);
  }
  static char many[20000];
  size_t at = (size_t)snprintf(many, sizeof many, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>");
  for (int i = 0; i < 999; i++) at += (size_t)snprintf(many + at, sizeof many - at, "<flow%d/>", i);
  snprintf(many + at, sizeof many - at, "</svg>");
  draw_svg(many, NULL, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK(d.warnings > 20 && d.warnings < 100);
}

TEST(a_document_that_is_measured_first_tells_once) {
  if (!have_svg()) SKIP("built without SVG");
  static const omission_case cases[] = {
      {"<svg xmlns='http://www.w3.org/2000/svg'><image href='none.png' width='9' height='9'/></svg>", "none.png"},
      {"<svg xmlns='http://www.w3.org/2000/svg'><text>" NO_GLYPH "</text><rect width='9' height='9'/></svg>", "text"},
      {"<svg xmlns='http://www.w3.org/2000/svg'><use href='a.svg#b'/><rect width='9' height='9'/></svg>",
       "use of a.svg"},
  };
  CHECK_CASES(cases);
}

TEST(values_that_are_not_valid_are_counted) {
  if (!have_svg()) SKIP("built without SVG");
  static const omission_case cases[] = {
      {SVG("<rect width='9' height='9' fill='redd'/>"), "ignored: the value of fill: redd"},
      {SVG("<g stroke-linecap='miter'><rect opacity='1mm' style='color: #ff; fill: rgb(1)'/></g>"),
       "4 values, the first of stroke-linecap: miter"},
      {SVG("<style>rect { stroke-dasharray: 1 x; font-size: -1px }</style><rect/><rect/><rect/>"),
       "2 values, the first of stroke-dasharray: 1 x"},
      {SVG("<text font-weight='1500' text-anchor='left'/>"), "2 values, the first of font-weight"},
      {SVG("<linearGradient><stop stop-opacity='1.'/></linearGradient>"), NULL},
      {SVG("<rect fill='' style='fill: inherit; stroke: initial; color: unset; font: inherit; marker: none'/>"), NULL},
      {SVG("<rect style='fill: -webkit-x; fill: var(--x); stroke-dasharray: none; font-size: larger' "
           "display='block'/>"),
       NULL},
  };
  CHECK_CASES(cases);
}

TEST(what_nobody_would_see_is_no_omission) {
  if (!have_svg()) SKIP("built without SVG");
  static const omission_case cases[] = {
      {SVG("<text/><text> \n </text><text><tspan> </tspan></text>"), NULL},
      {SVG("<defs><text>a</text><foreignObject/><flowRoot/><blob/></defs>"), NULL},
      {SVG("<text display='none'>a</text><g display='none'><text>a</text><foreignObject/></g>"), NULL},
      {SVG("<switch><foreignObject requiredExtensions='x'/><rect width='9' height='9'/></switch>"), NULL},
      {SVG("<switch><rect width='9' height='9'/>" HTML("<input/>") "</switch>"), NULL},
      {SVG("<foreignObject width='9' height='9'/><foreignObject>" HTML("<input/>") "</foreignObject>"), NULL},
      {SVG(HTML("<input style='display: none'/><dialog/><ol start='3'><li value='7'/></ol>")), NULL},
      {SVG(HTML("<div style='display: none; float: right; background: none; margin: auto'><input/></div>")), NULL},
      {SVG("<filter id='f'/><rect width='9' height='9' filter='none'/>"), NULL},
      {SVG("<rect width='9' height='9' filter='url(#nothing)'/>"), NULL},
      {SVG("<filter id='f'><feFlood/></filter><rect width='9' height='9' filter='url(#f) blur(2px)'/>"), NULL},
      {SVG("<rect width='9' height='9' style='filter: alpha(opacity=50)'/>"), NULL},
      {SVG("<rect width='9' height='9' style='animation: none; offset-path: none; transform: none' transform=''/>"),
       NULL},
      {SVG("<linearGradient id='g' color-interpolation='linearRGB'>" STOPS "</linearGradient>" FILLED), NULL},
      {SVG("<g color-interpolation='linearRGB'>" FILLED "</g><linearGradient id='g'>" STOPS "</linearGradient>"), NULL},
      {SVG("<rect width='auto' height='' rx='auto'/><path d=''/><polygon points=''/><style type='TEXT/CSS'/><style "
           "type=''/>"),
       NULL},
      {"<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'svg11.dtd' [<!ENTITY a 'b'>]>" SVG("<desc>&a;&amp;</desc>"),
       NULL},
      {SVG("<title>a</title><desc>a</desc><metadata><a xmlns='urn:x'/></metadata><view/><x:y xmlns:x='urn:x'/>"), NULL},
      {SVG("<rect width='9' height='9' fill='url(#nothing)'/><use href='#nothing'/><use/>"), NULL},
      {SVG("<g style='outline: none; zoom: 1; border: 1px solid; rotate: none; translate: none'/>"), NULL},
      {SVG("<mask id='m' style='mask-image: none'/><rect width='9' height='9' style='mask: url(#m), url(#n)'/>"), NULL},
  };
  CHECK_CASES(cases);
}

TEST(an_animation_is_no_omission) {
  if (!have_svg()) SKIP("built without SVG");
  static const omission_case cases[] = {
      {SVG("<rect width='9' height='9'><animate attributeName='x' from='0' to='9' begin='1s' dur='1s'/>"
           "<set attributeName='y' to='9' begin='2s'/></rect>"),
       NULL},
      {SVG("<rect width='9' height='9'><animateMotion path='M0 0H9' dur='1s'/></rect>"), NULL},
      {SVG("<style>@keyframes k { from { x: 3px } } rect { animation: k 1s }</style><rect width='9' height='9'/>"),
       NULL},
  };
  CHECK_CASES(cases);
}
