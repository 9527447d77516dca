// A page as HTML: one file without anything from elsewhere, for screens of every width, light and dark, and for paper.
// It opens with what is seen at once; each instrument has a section of its own.
#include "lab/page.h"

static const char *or_empty(const sj_lab_text *t) { return t->data ? t->data : ""; }

void sj_lab_heading(sj_lab_page *p, const char *title) {
  sj_lab_add(&p->html, "<h3 id=\"part-%u\">", ++p->headings);
  sj_lab_add_xml(&p->html, title);
  sj_lab_add_all(&p->html, "</h3>\n");
}

// Adds the text of an SVG element; a page without a picture that should be there is no page.
static void add_picture(sj_lab_text *to, const sj_lab_text *svg) {
  if (svg->failed || !svg->data)
    to->failed = true;
  else
    sj_lab_add_all(to, svg->data);
}

void sj_lab_picture(sj_lab_page *p, const char *title, const sj_lab_text *svg) {
  sj_lab_add_all(&p->html, "<figure>\n<figcaption>");
  sj_lab_add_xml(&p->html, title);
  sj_lab_add_all(&p->html, "</figcaption>\n");
  add_picture(&p->html, svg);
  sj_lab_add_all(&p->html, "</figure>\n");
}

void sj_lab_card_picture(sj_lab_page *p, const sj_lab_text *svg) { add_picture(&p->cards, svg); }
void sj_lab_overview(sj_lab_page *p, const sj_lab_text *svg) { add_picture(&p->overview, svg); }

// --- Sections ---

void sj_lab_end_section(sj_lab_page *p) {
  const char *name = p->section ? p->section : "measured";
  if (p->said.count || p->html.count) {
    sj_lab_add(&p->contents, "<li><a href=\"#%s\">%s</a></li>\n", name, name);
    sj_lab_add(&p->sections, "<section id=\"%s\">\n<h2>%s</h2>\n", name, name);
    if (p->summary) {
      sj_lab_add_all(&p->sections, "<p class=\"summary\">");
      sj_lab_add_xml(&p->sections, p->summary);
      sj_lab_add_all(&p->sections, "</p>\n");
    }
    if (p->said.count) sj_lab_add_all(&p->sections, "<ul>\n");
    sj_lab_add_all(&p->sections, or_empty(&p->said));
    if (p->said.count) sj_lab_add_all(&p->sections, "</ul>\n");
    sj_lab_add_all(&p->sections, or_empty(&p->html));
    sj_lab_add_all(&p->sections, "</section>\n");
  }
  p->said.failed |= p->html.failed;
  p->said.count = p->html.count = 0;
  p->section = p->summary = NULL;
}

void sj_lab_section(sj_lab_page *p, const char *name, const char *summary) {
  sj_lab_end_section(p);
  p->section = name;
  p->summary = summary;
}

// --- The page ---

// Colours are Okabe and Ito's, darker on light ground and lighter on dark (plot.c has the former).
static const char style[] =
    ":root { color-scheme: light dark; --back: #fff; --ink: #1d2126; --soft: #59616b; --line: #d5d9de;\n"
    "  --card: #f5f7f9; --link: #00568a; --wrong: #a61b1b }\n"
    "@media screen and (prefers-color-scheme: dark) {\n"
    "  :root { --back: #15181c; --ink: #e4e7eb; --soft: #a3acb7; --line: #3a414a; --card: #1e2329; --link: #79bdea;\n"
    "    --wrong: #ff8f84 }\n"
    "  .plot text.ink { fill: #e4e7eb } .plot .back { fill: none } .plot path.grid { stroke: #4a525c }\n"
    "  .plot rect.s0, .plot text.s0 { fill: #56b4e9 } .plot path.s0 { stroke: #56b4e9 }\n"
    "  .plot text.s1 { fill: #ff8a3d } .plot path.s1 { stroke: #ff8a3d }\n"
    "  .plot text.s2 { fill: #2fc79a } .plot path.s2 { stroke: #2fc79a }\n"
    "  .plot text.s3 { fill: #e39bc6 } .plot path.s3 { stroke: #e39bc6 }\n"
    "  .plot text.s4 { fill: #f0b93a } .plot path.s4 { stroke: #f0b93a }\n"
    "  .plot text.s5 { fill: #9ad3f5 } .plot path.s5 { stroke: #9ad3f5 }\n"
    "  svg:not(.plot) { background: #fff }\n"
    "}\n"
    "* { box-sizing: border-box }\n"
    "html { scroll-padding-top: 1rem }\n"
    "body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }\n"
    "a { color: var(--link) }\n"
    "h1, h2, h3 { line-height: 1.25; margin: 0 }\n"
    "h1 { font-size: 28px } h2 { font-size: 22px } h3 { font-size: 16px; margin-top: 28px }\n"
    "main { max-width: 1000px; padding: 24px; margin: 0 auto }\n"
    "nav { padding: 16px 24px; border-bottom: 1px solid var(--line); font-size: 14px }\n"
    "nav b { display: none }\n"
    "nav ul { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0; padding: 0; list-style: none }\n"
    "section { margin-top: 40px; padding-top: 16px; border-top: 1px solid var(--line) }\n"
    "section ul { padding-left: 20px; max-width: 75ch } li { margin: 4px 0 }\n"
    ".summary, .device, figcaption { color: var(--soft); margin: 4px 0 12px }\n"
    ".summary::first-letter, article h3::first-letter { text-transform: uppercase }\n"
    ".cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 16px;\n"
    "  margin-top: 16px }\n"
    "article { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 16px;\n"
    "  break-inside: avoid }\n"
    "article h3 { margin: 0 } article p { margin: 4px 0 12px; font-size: 14px }\n"
    "article .back { fill: none }\n"
    ".wide { overflow-x: auto; margin-top: 8px }\n"
    "table { border-collapse: collapse; font-size: 14px; line-height: 1.35 }\n"
    "th, td { padding: 3px 16px 3px 0; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }\n"
    "th { border-bottom: 1px solid var(--soft); font-weight: 600 } td { border-bottom: 1px solid var(--line) }\n"
    "th.name, td.name { text-align: left } td.name { white-space: normal }\n"
    "figure { margin: 20px 0 0; break-inside: avoid } figcaption { font-size: 14px }\n"
    "svg { display: block; max-width: 100%; height: auto }\n"
    ".wrong { color: var(--wrong); font-weight: 600 }\n"
    ".failed { border: 2px solid var(--wrong); border-radius: 6px; padding: 16px; margin-top: 24px }\n"
    ".pair { display: flex; flex-wrap: wrap; gap: 16px } .pair pre { flex: 1 1 320px }\n"
    "pre { overflow-x: auto; font-size: 12px; line-height: 1.35; margin: 8px 0 }\n"
    "mark { background: #ffd54a; color: #1d2126 }\n"
    "@media (min-width: 1240px) {\n"
    "  body { display: grid; grid-template-columns: 200px minmax(0, 1fr) }\n"
    "  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 24px; border: 0;\n"
    "    border-right: 1px solid var(--line) }\n"
    "  nav b { display: block; margin-bottom: 8px } nav ul { display: block }\n"
    "}\n"
    "@media print {\n"
    "  body { display: block; font-size: 10pt } main { max-width: none; padding: 0 } nav { display: none }\n"
    "  h1 { font-size: 18pt } h2 { font-size: 14pt } h3 { font-size: 11pt; break-after: avoid }\n"
    "  table { font-size: 8pt } th, td { padding-right: 8px } tr { break-inside: avoid } .wide { overflow: visible }\n"
    "}\n";

static void add_top(const sj_lab_page *p, sj_lab_text *out) {
  sj_lab_add(out, "<header id=\"top\">\n<h1>stijl lab %s</h1>\n", p->name);
  sj_lab_add_all(out, or_empty(&p->device));
  sj_lab_add_all(out, "</header>\n");
  if (p->wrongs.count) {
    sj_lab_add_all(out, "<div class=\"failed\"><h2 class=\"wrong\">Failed checks</h2>\n<ul>\n");
    sj_lab_add_all(out, or_empty(&p->wrongs));
    sj_lab_add_all(out, "</ul></div>\n");
  }
  if (p->cards.count) {
    sj_lab_add_all(out, "<section id=\"pays\">\n<h2>What pays here</h2>\n<div class=\"cards\">\n");
    sj_lab_add_all(out, or_empty(&p->cards));
    sj_lab_add_all(out, "</article>\n</div>\n</section>\n");
  }
  if (p->overview.count) {
    sj_lab_add_all(out, "<section id=\"ceilings\">\n<h2>What the device can do at most</h2>\n<figure>\n");
    sj_lab_add_all(out, or_empty(&p->overview));
    sj_lab_add_all(out, "</figure>\n</section>\n");
  }
}

void sj_lab_page_html(sj_lab_page *p, sj_lab_text *out) {
  sj_lab_add(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<title>stijl lab %s</title>\n<style>\n",
             p->name);
  sj_lab_add_all(out, style);
  sj_lab_add_all(out, "</style>\n</head>\n<body>\n<nav aria-label=\"Contents\"><b>Contents</b>\n<ul>\n");
  sj_lab_add_all(out, "<li><a href=\"#top\">top</a></li>\n");
  if (p->cards.count) sj_lab_add_all(out, "<li><a href=\"#pays\">what pays here</a></li>\n");
  if (p->overview.count) sj_lab_add_all(out, "<li><a href=\"#ceilings\">ceilings</a></li>\n");
  sj_lab_add_all(out, or_empty(&p->contents));
  sj_lab_add_all(out, "</ul>\n</nav>\n<main>\n");
  add_top(p, out);
  sj_lab_add_all(out, or_empty(&p->sections));
  sj_lab_add_all(out, "</main>\n</body>\n</html>\n");
}
