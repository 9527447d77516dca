"""Attacks on the readers of documents, values and style sheets: name, why it might hurt, what makes it."""
from hostile import HEAD, pack, svg

RECT = '<rect width="9" height="9"/>'


def styled(sheet, body=RECT):
    return pack(svg("<style><![CDATA[%s]]></style>%s" % (sheet, body)))


def entities(declarations, body, head="<!DOCTYPE svg [%s]>"):
    return pack(head % declarations + svg(body))


def attribute(name, value, element="rect", more='width="9" height="9" stroke="red"', times=1):
    return pack(svg('<%s %s %s="%s"/>' % (element, more, name, value) * times))


def chain(count, each, last=""):
    return "".join(each % {"i": i, "next": i + 1} for i in range(count)) + last


def encoded(text, encoding, name=None):
    return ('<?xml version="1.0" encoding="%s"?>' % (name or encoding) + text).encode(encoding, "ignore")


def entity_levels(levels, times, value="x"):
    out = '<!ENTITY e0 "%s">' % value
    return out + "".join('<!ENTITY e%d "%s">' % (i + 1, "&e%d;" % i * times) for i in range(levels))


XML = {
    "entities_of_entities": ("a billion laughs", lambda: entities(entity_levels(9, 10), "<text>&e9;</text>")),
    "entities_in_attributes": ("the same in a value", lambda: entities(entity_levels(9, 10), '<g id="&e9;"/>')),
    "entity_used_quadratically": ("one long entity, used often", lambda: entities(
        '<!ENTITY e "%s">' % ("x" * 100000), "<title>%s</title>" % ("&e;" * 100000))),
    "entity_of_elements": ("an entity that holds elements", lambda: entities(
        entity_levels(6, 10, "<rect width='9' height='9'/>"), "&e6;")),
    "entity_of_itself": ("recursion", lambda: entities('<!ENTITY a "&b;"><!ENTITY b "&a;">', "<text>&a;</text>")),
    "parameter_entities": ("entities of the DTD in one another", lambda: entities(
        '<!ENTITY % p0 "<!ENTITY x \'y\'>">' + "".join('<!ENTITY %% p%d "&#37;p%d;&#37;p%d;">' % (i + 1, i, i)
                                                     for i in range(24)) + "%p24;", RECT)),
    "entity_names": ("very many entities", lambda: entities("".join('<!ENTITY e%d "x">' % i for i in range(200000)), RECT)),
    "entity_chain": ("each names the next", lambda: entities(
        chain(50000, '<!ENTITY e%(i)d "&e%(next)d;">', '<!ENTITY e50000 "x">'), "<text>&e0;</text>")),
    "external_entity": ("a file of the machine", lambda: entities('<!ENTITY e SYSTEM "file:///etc/passwd">', "<text>&e;</text>")),
    "external_dtd": ("a DTD elsewhere", lambda: '<!DOCTYPE svg SYSTEM "/dev/zero">' + svg(RECT)),
    "default_attributes": ("a DTD that gives each element many attributes", lambda: entities(
        "<!ATTLIST rect %s>" % " ".join('a%d CDATA "%s"' % (i, "x" * 99) for i in range(1000)), RECT * 20000)),
    "notations": ("declarations that nobody needs", lambda: entities("".join(
        '<!NOTATION n%d SYSTEM "x">' % i for i in range(100000)), RECT)),
    "content_model": ("a content model that nests", lambda: entities("<!ELEMENT a %s b %s>" % ("(" * 10000, ")" * 10000), RECT)),
    "wide_content_model": ("a content model of many names", lambda: entities(
        "<!ELEMENT a (%s)>" % "|".join("b%d" % i for i in range(200000)), RECT)),
    "instructions": ("processing instructions", lambda: pack("<?a b?>" * 500000 + svg(RECT))),
    "sheets_by_instruction": ("sheets that are not there", lambda: pack('<?xml-stylesheet href="a.css"?>' * 100000 + svg(RECT))),
    "comments": ("comments between letters", lambda: pack(svg("<text y='9'>%s</text>" % ("a<!---->" * 100000)))),
    "long_comment": ("one token of 64 MB", lambda: pack(svg("<!--%s-->" % ("- " * (32 << 20))))),
    "cdata_sections": ("one for each letter", lambda: pack(svg("<style>%s</style>" % ("<![CDATA[a]]>" * 400000)))),
    "cdata_brackets": ("what nearly ends a section", lambda: pack(svg("<style><![CDATA[%s]]></style>" % ("]]" * 4000000)))),
    "character_references": ("a text of references", lambda: pack(svg("<text>%s</text>" % ("&#x20;&#120;" * 200000)))),
    "depth": ("elements a million deep", lambda: pack("%s>%s" % (HEAD, "<g>" * 1000000))),
    "depth_of_unknown": ("unknown elements, as deep", lambda: pack(svg("<x>" * 400000 + "</x>" * 400000))),
    "depth_of_limit": ("as deep as allowed, over and over", lambda: pack(svg(("<g>" * 250 + "</g>" * 250) * 1500))),
    "long_name": ("a name of 8 MB", lambda: pack(svg("<%s/>" % ("a" * (8 << 20))))),
    "long_attribute_name": ("one of an attribute", lambda: pack(svg('<g %s="1"/>' % ("a" * (8 << 20))))),
    "names_that_collide": ("equal starts of names", lambda: pack(svg("".join(
        "<%s%d/>" % ("a" * 200, i) for i in range(40000))))),
    "equal_ids": ("one id for all", lambda: pack(svg('<rect id="a" width="1" height="1"/>' * 150000 + '<use href="#a"/>' * 9999))),
    "long_ids": ("ids that differ in the end", lambda: pack(svg("".join(
        '<g id="%s%d"/>' % ("a" * 5000, i) for i in range(3000)) + '<use href="#%s9"/>' % ("a" * 5000) * 3000))),
    "prefixes_of_each": ("each element declares a namespace", lambda: pack(svg("".join(
        '<g xmlns:p%d="u%d" p%d:a="1"/>' % (i, i, i) for i in range(80000))))),
    "prefixes_nested": ("declarations 200 deep", lambda: pack(svg("".join(
        '<g %s>' % " ".join('xmlns:p%d_%d="u"' % (k, i) for i in range(500)) for k in range(200)) + "</g>" * 200))),
    "long_namespace": ("an address of a MB, for each attribute", lambda: pack(svg(
        '<g xmlns:p="%s">%s</g>' % ("u" * 1000000, "<p:a p:b='1' p:c='2'/>" * 2000)))),
    "nested_documents": ("svg elements in one another", lambda: pack(svg(
        '<svg width="50%" viewBox="0 0 1 1">' * 200 + "<rect width='1' height='1'/>" + "</svg>" * 200))),
    "spaces": ("xml:space and many spaces", lambda: pack(svg('<text xml:space="preserve">%s</text>' % (" \t\n" * 200000)))),
    "utf16": ("a document in UTF-16", lambda: pack("") and encoded(svg(RECT * 100000), "utf-16")),
    "utf32": ("in UTF-32, which few read", lambda: encoded(svg(RECT), "utf-32")),
    "utf7": ("in UTF-7", lambda: encoded(svg(RECT), "utf-7")),
    "shift_jis": ("in Shift JIS, cut within a letter", lambda: encoded(svg("<text>\u3042\u3044</text>" * 20000), "shift_jis")[:-9]),
    "encoding_that_lies": ("UTF-8 that says UTF-16", lambda: encoded(svg(RECT), "utf-8", "utf-16")),
    "encoding_unknown": ("a name of an encoding of a MB", lambda: encoded(svg(RECT), "utf-8", "x" * 1000000)),
    "marks_of_order": ("byte order marks", lambda: b"\xef\xbb\xbf" * 100000 + svg(RECT).encode()),
    "bytes_not_utf8": ("bytes of no encoding", lambda: svg("<text>").encode() + bytes(range(128, 256)) * 10000),
    "zeros": ("8 MB of NUL", lambda: bytes(8 << 20)),
    "surrogates": ("halves of characters", lambda: svg("<text>\ud800\udfff</text>" * 1000)),
    "gzip_members": ("100,000 members", lambda: pack("") * 100000 + pack(svg(RECT))),
    "gzip_bomb_members": ("members that unpack to 10 MB each", lambda: pack(" " * (10 << 20)) * 200),
    "gzip_twice": ("packed twice", lambda: __import__("gzip").compress(pack(svg(" " * (100 << 20))))),
    "gzip_header": ("a header with a name that does not end", lambda: b"\x1f\x8b\x08\x08" + b"\0" * 6 + b"a" * (4 << 20)),
    "gzip_cut": ("cut in the middle", lambda: pack(svg(RECT * 100000))[:900]),
}

VALUES = {
    "digits": ("a number of 10^6 digits", lambda: attribute("x", "1" * 1000000)),
    "fraction": ("as many behind the point", lambda: attribute("x", "." + "1" * 1000000, times=4)),
    "exponent": ("an exponent of 10^6 digits", lambda: attribute("x", "1e" + "9" * 1000000)),
    "exponent_below": ("a negative one", lambda: attribute("x", "1e-" + "9" * 1000000)),
    "zeros_before": ("zeros", lambda: attribute("x", "0" * 4000000 + "1")),
    "numbers_that_cancel": ("0.000...1e999", lambda: attribute("x", "." + "0" * 100000 + "1e100000")),
    "unit": ("a unit of a MB", lambda: attribute("width", "9" + "p" * 1000000)),
    "nan": ("spellings of no number", lambda: pack(svg("".join(
        '<rect x="%s" width="%s" height="9" transform="translate(%s)" stroke-width="%s"/>' % ((v,) * 4)
        for v in ("NaN", "nan", "inf", "-inf", "Infinity", "1e999", "-1e999", "0x9", "1e", "--1", "+-1", "1.1.1", "")))) ),
    "subnormals": ("numbers that some take for 0", lambda: pack(svg(
        '<g transform="scale(1e-40)"><rect width="1e40" height="1e40"/><path d="M1e-45 1e-40L1e-38 3" stroke="red"/></g>' * 999))),
    "extremes": ("1e38 in all places", lambda: svg("".join(
        '<%s %s fill="red" stroke="red" stroke-width="1e38"/>' % (e, " ".join('%s="%s1e38"' % (a, s) for a in (
            "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2")))
        for e in ("rect", "circle", "ellipse", "line") for s in ("", "-")))),
    "view_box_tiny": ("a viewBox of 1e-38", lambda: svg(RECT * 99, "0 0 1e-38 1e-38")),
    "view_box_huge": ("of 1e38", lambda: svg('<circle r="1e38" stroke="red"/>' * 99, "-1e38 -1e38 3e38 3e38")),
    "view_box_flat": ("1 to 1e30", lambda: svg('<circle r="1" stroke="red" stroke-width="1e-9"/>' * 99, "0 0 1 1e30")),
    "view_box_list": ("of 10^6 numbers", lambda: pack(svg(RECT, "0 0 1 1" + " 1" * 1000000))),
    "aspect_ratio": ("a long preserveAspectRatio", lambda: attribute("preserveAspectRatio", "defer " * 400000, "image")),
    "points": ("10^6 points", lambda: attribute("points", "1,2 90,80 " * 400000, "polygon", 'fill-rule="evenodd"')),
    "points_odd": ("an odd count, without spaces", lambda: attribute("points", "1-2.5.5" * 400000 + "1", "polyline", "stroke='red'")),
    "path_moves": ("contours of a point each", lambda: attribute("d", "M1 1z" * 800000, "path", 'stroke="red" stroke-linecap="round"')),
    "path_closes": ("closing again and again", lambda: attribute("d", "M1 1h9v9" + "z" * 4000000, "path", 'stroke="red"')),
    "path_arcs": ("arcs of 1e9 turns' worth", lambda: attribute("d", "M0 0" + "A1e9 1e-9 1e9 1 1 99 99A1e-9 1e9 0 0 0 0 0" * 50000, "path")),
    "path_arc_flags": ("flags without spaces", lambda: attribute("d", "M0 0a9 9 0 0150 50" + "a1 1 0 001 1" * 300000, "path")),
    "path_smooth": ("curves that reflect and grow", lambda: attribute("d", "M0 0q1e3 1e3 9 9" + "t9 9" * 400000, "path")),
    "path_growing": ("relative steps without end", lambda: attribute("d", "M0 0" + "l1e36 1e36" * 400000, "path", 'stroke="red"')),
    "path_broken_late": ("an error behind 4 MB", lambda: attribute("d", "M0 0" + "h1v1" * 900000 + "#", "path")),
    "path_css": ("d by a rule, for each of many", lambda: styled("path{d:path('M0 0%s')}" % ("h1v1" * 50000), "<path/>" * 2000)),
    "color_list": ("a colour of many colours", lambda: attribute("fill", "red " * 1000000)),
    "color_function": ("a function of 10^6 numbers", lambda: attribute("fill", "rgb(%s)" % ("1," * 1000000))),
    "color_mix": ("color-mix in color-mix", lambda: attribute("fill", "color-mix(in lab, red, " * 20000 + "blue" + ")" * 20000, times=9)),
    "color_mix_wide": ("which nests in both arguments", lambda: attribute("fill", __import__("functools").reduce(
        lambda s, _: "color-mix(in oklch,%s,%s)" % (s, s), range(16), "red"))),
    "color_from": ("relative colours in one another", lambda: attribute("fill", "rgb(from " * 20000 + "red" + " r g b)" * 20000)),
    "color_hex": ("a hex colour of a MB", lambda: attribute("fill", "#" + "f" * 1000000, times=4)),
    "color_profile": ("icc-color with many", lambda: attribute("fill", "red icc-color(x%s)" % (",1" * 1000000))),
    "paint_fallbacks": ("url() url() url()", lambda: attribute("fill", "url(#a) " * 400000 + "red")),
    "url_long": ("an address of 8 MB", lambda: attribute("fill", "url(#%s)" % ("a" * (8 << 20)))),
    "url_escapes": ("escapes that shrink", lambda: attribute("href", "#" + "%61" * 1000000, "use", "")),
    "transform_list": ("10^6 transforms", lambda: attribute("transform", "scale(1.0001)" * 600000)),
    "transform_growing": ("a product beyond any number", lambda: attribute("transform", "scale(1e30)" * 100000, times=9)),
    "transform_shrinking": ("and below", lambda: attribute("transform", "scale(1e-30)" * 100000, times=9)),
    "transform_nested": ("through 250 groups", lambda: svg('<g transform="scale(9) rotate(9)">' * 250 + RECT + "</g>" * 250)),
    "transform_calc": ("calc within transforms", lambda: attribute("style", "transform:translate(calc(%s1px))" % ("1px + " * 400000))),
    "transform_origin": ("a list of origins", lambda: attribute("transform-origin", "1px " * 1000000)),
    "angle": ("an angle of 1e38", lambda: attribute("transform", "rotate(1e38) skewX(1e38) skewY(-1e38)", times=9999)),
    "calc_nested": ("calc 10^5 deep", lambda: attribute("style", "stroke-width:calc(%s1px%s)" % ("(" * 100000, ")" * 100000))),
    "calc_functions": ("min of max of clamp", lambda: attribute("style", "stroke-width:" + "min(max(" * 30000 + "1px" + "))" * 30000)),
    "calc_minus": ("signs", lambda: attribute("style", "stroke-width:calc(%s1px)" % ("-" * 1000000))),
    "calc_wide": ("min of 10^6, for each element", lambda: styled("rect{stroke-width:min(%s1px)}" % ("2px," * 500000), RECT * 500)),
    "calc_zero": ("division by 0, powers", lambda: attribute("style", "stroke-width:calc(1px / 0 * pow(1e300, 1e300) - infinity * 1px)", times=9999)),
    "style_escapes": ("names of escapes", lambda: attribute("style", "\\66\\69\\6c\\6c:red;" * 200000)),
    "style_no_end": ("a string that does not end", lambda: attribute("style", "fill:'" + "a" * 4000000)),
    "style_important": ("the same property, important", lambda: attribute("style", "fill:red!important;" * 200000, times=9)),
    "class_names": ("10^5 classes an element", lambda: styled(".a1{fill:red}", (
        '<rect class="%s"/>' % " ".join("a%d" % i for i in range(50000))) * 20)),
    "switch_languages": ("systemLanguage of 10^6 names", lambda: pack(svg("<switch>%s</switch>" % (
        '<g systemLanguage="%s"/>' % ("xx," * 20000) * 50)))),
    "switch_nested": ("switches 250 deep", lambda: svg("<switch>" * 250 + RECT + "</switch>" * 250)),
    "switch_children": ("of 200,000 children", lambda: pack(svg("<switch>%s</switch>" % ('<g requiredExtensions="a"/>' * 200000)))),
    "extensions": ("requiredExtensions of many words", lambda: attribute("requiredExtensions", "a " * 2000000)),
    "language": ("a language of a MB", lambda: pack(svg('<text xml:lang="%s" y="9">a</text>' % ("en-" * 300000)))),
    "begin_list": ("begin of 10^6 times", lambda: pack(svg('<rect>%s</rect>' % (
        '<animate attributeName="x" values="1;2" dur="1s" begin="%s"/>' % ("-1s;" * 200000) * 5)))),
    "key_times": ("keyTimes and values of 10^6", lambda: pack(svg(
        '<rect><animate attributeName="x" dur="1s" begin="-.5s" values="%s" keyTimes="0%s;1"/></rect>' % (
            "1;" * 500000 + "1", ";.5" * 499999)))),
    "key_splines": ("keySplines as many", lambda: pack(svg(
        '<rect><animate attributeName="x" dur="1s" calcMode="spline" values="%s1" keySplines="%s"/></rect>' % (
            "1;" * 300000, "0 0 1 1;" * 300000)))),
    "animate_many": ("50,000 animations of one attribute", lambda: pack(svg(
        "<rect>%s</rect>" % ('<animate attributeName="x" by="1" additive="sum" dur="1s" begin="-1s"/>' * 50000)))),
    "animate_paths": ("animations of path data", lambda: pack(svg('<path>%s</path>' % (
        '<animate attributeName="d" dur="2s" begin="-1s" values="M0 0%s;M1 1%s"/>' % (("L1 1" * 20000,) * 2) * 30)))),
    "animate_chain": ("begin=id.end, a chain", lambda: pack(svg("<rect>%s</rect>" % chain(
        20000, '<animate id="a%(next)d" attributeName="x" to="1" dur="1s" begin="a%(i)d.end"/>')))),
    "animate_each_other": ("begin of one another", lambda: pack(svg("<rect>%s</rect>" % "".join(
        '<set id="s%d" attributeName="x" to="1" begin="%s"/>' % (i, ";".join("s%d.begin" % k for k in range(150)))
        for i in range(150))))),
    "animate_repeats": ("repeated 1e30 times, accumulating", lambda: svg('<rect width="9" height="9">%s</rect>' % (
        '<animate attributeName="x" from="0" to="9" dur="1e-9s" repeatCount="1e30" accumulate="sum" begin="-1e9s"/>' * 999))),
    "animate_loop": ("a thousand beginnings of one another a second", lambda: (svg(
        '<rect><set id="a" attributeName="x" to="1" dur="1ms" begin="0;b.end"/>'
        '<set id="b" attributeName="x" to="1" dur="1ms" begin="a.end"/></rect>'), ["--time", "999999999"])),
    "animate_back": ("each begins before all others do", lambda: (svg("<rect>%s</rect>" % "".join(
        '<set id="s%d" attributeName="x" to="1" begin="%d;%s"/>' % (i, i % 7, ";".join("s%d.begin-1s" % k for k in range(150)))
        for i in range(150))), ["--time", "end"])),
    "animate_ends": ("each ends all others, and begins them anew", lambda: (svg("<rect>%s</rect>" % "".join(
        '<set id="s%d" attributeName="x" to="1" end="%d;%s" begin="0;%s"/>' % (
            i, 5 + i % 7, ";".join("s%d.end-1ms" % k for k in range(100)), ";".join("s%d.end" % k for k in range(100)))
        for i in range(100))), ["--time", "end"])),
    "animate_easing": ("easing of 300,000 points, keyframes of 10,000 custom properties", lambda: (styled(
        "@keyframes k{%s}rect{animation:k 1e-30s infinite linear(%s)}" % (
            "".join("%g%%{width:9px;--a%d:1}" % (i / 100, i) for i in range(10000)), ",".join(["0"] * 300000)),
        '<rect height="9"/>' * 2000), ["--time", "end"])),
    "motion_of_itself": ("mpath of a path that moves along itself", lambda: svg(
        '<path id="p" d="M0 0h9"><animateMotion dur="1s"><mpath href="#p"/></animateMotion></path>' * 500)),
}


def rules(count, each):
    return "".join(each % {"i": i} for i in range(count))


CSS = {
    "has_descendant": (":has walks the subtree of each element", lambda: styled(
        "g:has(x){fill:red}" * 50, ("<g>" * 100 + "</g>" * 100) * 300)),
    "has_sibling": (":has of following siblings", lambda: styled("g:has(~ x){fill:red}" * 20, "<g/>" * 60000)),
    "has_in_has": ("through :not and :is", lambda: styled(
        ":not(:has(:not(:is(g,rect) x))) g:has(:is(a,b) c){fill:red}" * 9, ("<g>" * 90 + "</g>" * 90) * 200)),
    "nth_of": (":nth-child(of) counts siblings of each", lambda: styled(
        ":nth-child(2n+1 of .a.b){fill:red}" * 20, '<g class="a b"/>' * 50000)),
    "nth_last_of": (":nth-last-child(of) with lists", lambda: styled(
        ":nth-last-child(3n of %s){fill:red}" % ",".join(".a%d" % i for i in range(500)), '<g class="a3"/>' * 30000)),
    "nth_numbers": ("numbers beyond 32 bits", lambda: styled(
        ":nth-child(99999999999999999999n + 99999999999999999999){fill:red}:nth-child(-2147483648n - 2147483648){}" * 999, "<g/>" * 999)),
    "nth_types": (":nth-of-type with a name for each", lambda: styled(
        ":nth-of-type(2n){fill:red}:nth-last-of-type(3n){fill:red}" * 20, "".join("<a%d/>" % i for i in range(30000)))),
    "descendants": ("a b c ... that backtracks", lambda: styled(
        " ".join(["g"] * 60) + " x{fill:red}" + "g " * 60 + "rect{fill:red}", "<g>" * 120 + RECT * 3000 + "</g>" * 120)),
    "siblings": ("~ ~ ~ that backtracks", lambda: styled("g~" * 40 + "x{}" + "g~" * 40 + "rect{fill:red}", "<g/>" * 5000 + RECT * 500)),
    "mixed_combinators": ("~ within descendants", lambda: styled(
        "g ~ g g ~ g g ~ g g ~ rect.x{fill:red}" * 20, ("<g/>" * 60 + "<g>") * 60 + '<rect class="y"/>' * 60 + "</g>" * 60)),
    "universal": ("rules that match all", lambda: styled(rules(3000, "*{fill:#%(i)06d}"), "<g/>" * 30000)),
    "long_compound": ("one selector of 10^6 classes", lambda: styled(".a" * 1000000 + "{fill:red}", '<g class="a"/>' * 500)),
    "is_nested": (":is in :is", lambda: styled(":is(" * 5000 + "g" + ")" * 5000 + "{fill:red}", "<g/>" * 500)),
    "is_product": ("lists within compounds that multiply", lambda: styled(
        ":is(g,rect) " * 30 + ":is(a,b,rect){fill:red}", "<g>" * 60 + RECT * 2000 + "</g>" * 60)),
    "not_lists": (":not of 10^5", lambda: styled(":not(%s){fill:red}" % ",".join(".a%d" % i for i in range(100000)), "<g class='b'/>" * 300)),
    "attribute_contains": ("*= in long values", lambda: styled(
        "[d*='%s']{fill:red}" % ("0" * 5000 + "1") * 50, '<path d="%s"/>' % ("0" * 200000) * 9)),
    "attribute_words": ("~= in values of many words", lambda: styled(
        "[title~=%s]{fill:red}" % "x" * 200, '<g title="%s"/>' % ("a " * 100000) * 20)),
    "attribute_each": ("selectors of attributes, for each of many", lambda: styled(
        rules(2000, "[a%(i)d^=b]{fill:red}"), ('<g %s/>' % " ".join('a%d="x"' % i for i in range(100))) * 2000)),
    "attribute_cases": ("without case", lambda: styled("[title='%s' i]{fill:red}" % ("a" * 9999) * 99, '<g title="%s"/>' % ("A" * 9999) * 300)),
    "language_ranges": (":lang of many", lambda: styled(":lang(%s){fill:red}" % ",".join("*-%s" % ("a" * 8) for _ in range(5000)),
                                                       '<g xml:lang="%s"/>' % ("b-" * 5000) * 100)),
    "nesting": ("& that doubles", lambda: styled("g,rect{" + "& &,& &{" * 30 + "fill:red" + "}" * 31, RECT * 500)),
    "nesting_deep": ("rules 10^5 deep", lambda: styled("g{" * 100000)),
    "nesting_wide": ("lists of parents", lambda: styled(
        ",".join("g%d" % i for i in range(1000)) + "{" + ",".join("& a%d" % i for i in range(1000)) + "{fill:red}}", RECT)),
    "variables_double": ("each is the next one twice", lambda: styled(
        "rect{%s--a30:1 ;fill:var(--a0)}" % chain(30, "--a%(i)d:var(--a%(next)d) var(--a%(next)d);"))),
    "variables_chain": ("a chain of 50,000", lambda: styled("rect{%sfill:var(--a0)}" % chain(50000, "--a%(i)d:var(--a%(next)d);"))),
    "variables_ring": ("a ring", lambda: styled("rect{%s--a999:var(--a0);fill:var(--a0)}" % chain(999, "--a%(i)d:var(--a%(next)d);"), RECT * 999)),
    "variables_fallbacks": ("fallbacks in one another", lambda: styled("rect{fill:%sred%s}" % ("var(--a," * 20000, ")" * 20000))),
    "variables_inherited": ("many, through many elements", lambda: styled(
        "g{%s}" % rules(3000, "--a%(i)d:%(i)d;"), "<g>" * 200 + RECT * 20000 + "</g>" * 200)),
    "variables_long": ("a long value, used by each property of each element", lambda: styled(
        "svg{--a:%s}rect{fill:var(--a);stroke:var(--a);opacity:var(--a)}" % ("x " * 400000), RECT * 3000)),
    "variables_at_depth": ("a doubling at each level", lambda: styled(
        "g{--a:var(--b) var(--b)}g g{--b:var(--a)}", '<g style="--b:1">' + '<g style="--b:var(--a)"><g>' * 100 + RECT + "</g>" * 201)),
    "media_nested": ("@media in @media", lambda: styled("@media screen{" * 100000 + "rect{fill:red}")),
    "media_list": ("10^6 queries", lambda: styled("@media %s{rect{fill:red}}" % ("print," * 700000 + "screen"))),
    "media_brackets": ("brackets of conditions", lambda: styled("@media %s(min-width:1px)%s{rect{}}" % ("(" * 200000, ")" * 200000))),
    "supports": ("@supports that nests", lambda: styled("@supports %s(fill:red)%s{rect{}}" % ("not (" * 50000, ")" * 50000))),
    "layers": ("100,000 layers", lambda: styled(rules(60000, "@layer a%(i)d{rect{fill:red}}"), RECT * 99)),
    "layers_nested": ("layers of long names", lambda: styled("@layer %sa{rect{fill:red}}" % ("a." * 400000))),
    "layer_list": ("one statement of 10^5", lambda: styled("@layer %s;rect{fill:red}" % ",".join("a%d" % i for i in range(100000)))),
    "import_many": ("200,000 imports", lambda: styled("@import 'a.css';" * 200000)),
    "import_data": ("sheets in addresses in sheets", lambda: styled(__import__("functools").reduce(
        lambda s, _: "@import url(data:text/css;base64,%s);" % __import__("base64").b64encode(s.encode()).decode(), range(24), "rect{fill:red}"))),
    "import_data_many": ("200 sheets of 1 MB in addresses", lambda: styled("".join(
        "@import 'data:text/css,%s';" % ("a{}" * 100000) for i in range(60)))),
    "keyframes_many": ("100,000 names", lambda: styled(rules(50000, "@keyframes a%(i)d{0%%{fill:red}to{fill:blue}}") +
                                                      "rect{animation:a49999 1s -.5s}", RECT * 99)),
    "keyframes_selectors": ("a frame of 10^5 places", lambda: styled(
        "@keyframes a{%s{fill:red}}rect{animation:a 1s -.5s}" % ",".join("%d%%" % (i % 101) for i in range(100000)), RECT * 300)),
    "keyframes_equal": ("10^5 frames at one place", lambda: styled(
        "@keyframes a{%s}rect{animation:a 1s -.5s}" % ("50%{fill:red;stroke:blue;opacity:.5}" * 50000), RECT * 300)),
    "animation_list": ("20,000 animations an element", lambda: styled(
        "@keyframes a{50%%{fill:red}}rect{animation:%s}" % ",".join(["a 1s -.5s"] * 10000), RECT * 300)),
    "animation_longhands": ("lists that repeat one another", lambda: styled(
        "@keyframes a{50%%{fill:red}}rect{animation-name:%s;animation-delay:%s}" % (
            ",".join(["a"] * 4999), ",".join(["-.5s"] * 4001)), RECT * 300)),
    "animation_steps": ("steps(2147483647)", lambda: styled(
        "@keyframes a{from{opacity:0}}rect{animation:a 1s -.5s steps(2147483647);}", RECT * 999)),
    "animation_linear": ("linear() of 10^6", lambda: styled(
        "@keyframes a{from{opacity:0}}rect{animation:a 1s -.5s linear(%s1)}" % ("0," * 400000), RECT * 200)),
    "font_faces": ("ranges of characters by the million", lambda: styled(
        "@font-face{font-family:a;src:url(x.ttf);unicode-range:%s}" % ",".join("U+%X" % i for i in range(100000)), "<text font-family='a'>b</text>" * 500)),
    "font_face_sources": ("10^5 sources", lambda: styled(
        "@font-face{font-family:a;src:%s}" % ",".join("local(x%d)" % i for i in range(60000)), "<text font-family='a'>b</text>" * 500)),
    "font_faces_of_one_family": ("20,000 of one family, all weights", lambda: styled(
        rules(20000, "@font-face{font-family:a;font-weight:%(i)d;src:url(x%(i)d.ttf)}"), "<text font-family='a'>b</text>" * 500)),
    "font_palettes": ("palettes", lambda: styled(rules(30000, "@font-palette-values --a{font-family:a;override-colors:%(i)d red}") +
                                                "text{font-palette:--a}", "<text font-family='a'>b</text>" * 300)),
    "comments": ("/* without end, many times", lambda: styled("/**/" * 1000000 + "/*" * 1000000)),
    "strings": ("strings that a newline ends", lambda: styled('"\n' * 2000000)),
    "brackets_mixed": ("([{ of all kinds", lambda: styled("([{" * 2000000)),
    "brackets_in_rules": ("declarations of brackets, read again at each ;", lambda: styled("rect{" + "fill:[;" * 300000)),
    "charset_markers": ("<!-- and -->", lambda: styled("<!---->" * 1000000)),
    "escapes": ("a name of escapes", lambda: styled(("\\0000" * 1000000) + "{}")),
    "bad_selectors": ("selectors that are wrong in the end", lambda: styled(("g," * 500000 + "!{fill:red}") * 2)),
    "empty_rules": ("rules of nothing", lambda: styled("{}" * 2000000)),
    "unknown_at_rules": ("@a with blocks", lambda: styled("@a b{c:d}" * 400000)),
    "pseudo_elements": ("::a of unknown kinds", lambda: styled(rules(200000, "rect::a%(i)d{fill:red}"))),
    "sheets": ("30,000 style elements", lambda: pack(svg("<style>rect{fill:red}</style>" * 30000 + RECT * 2000))),
    "root_of_all": (":root :scope :empty :only-child", lambda: styled(
        ":root :empty:only-child:not(:first-child):last-of-type{fill:red}" * 500, "<g/>" * 30000)),
    "specificity": ("more ids than a counter holds", lambda: styled("#a" * 300000 + "{fill:red}" + ".a" * 300000 + "{}", '<rect id="a"/>' * 99)),
    "namespaces": ("@namespace by the thousand", lambda: styled(rules(50000, "@namespace p%(i)d 'u';") + "p9|rect{fill:red}")),
    "url_tokens": ("url( without an end", lambda: styled("url(" * 2000000)),
    "unicode_ranges": ("u+ in selectors", lambda: styled("u+???" * 1000000)),
    "properties_all": ("all: and inherit at 250 levels", lambda: styled(
        "*{all:inherit;all:unset;all:revert;fill:inherit}" * 300, "<g>" * 240 + RECT * 500 + "</g>" * 240)),
}

AREAS = {"xml": XML, "values": VALUES, "css": CSS}
