// The XML namespaces of the documents that are read and written.
#ifndef SJ_MARKUP_NAMESPACES_H
#define SJ_MARKUP_NAMESPACES_H

#define SJ_SPACE_SVG "http://www.w3.org/2000/svg"
#define SJ_SPACE_HTML "http://www.w3.org/1999/xhtml"
#define SJ_SPACE_MATHML "http://www.w3.org/1998/Math/MathML"
#define SJ_SPACE_XLINK "http://www.w3.org/1999/xlink"
#define SJ_SPACE_XML "http://www.w3.org/XML/1998/namespace"

#endif
