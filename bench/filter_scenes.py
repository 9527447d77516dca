"""The scenes of filters.py: what is filtered, each filter as SVG, and the same filter as Skia's image filters.

Colours are computed in sRGB, as Skia does. `scene(name, size, tiger)` gives an SVG document of size x size pixels."""
import random


def circles(size):
    """Twelve translucent circles that cover most of the picture: x, y, radius, colour, opacity."""
    pick, made = random.Random(7), []
    for _ in range(12):
        r = size * pick.uniform(.15, .3)
        made.append((round(pick.uniform(0, size), 2), round(pick.uniform(0, size), 2), round(r, 2),
                     "#%06x" % pick.randrange(1 << 24), .6))
    return made


def dots(size):
    """A thousand small shapes in a grid."""
    pick, made, columns = random.Random(8), [], 40
    step = size / columns
    for i in range(1000):
        made.append((round((i % columns + .5) * step, 2), round((i // columns + .5) * step * 1.5, 2),
                     round(step * .3, 2), "#%06x" % pick.randrange(1 << 24), 1))
    return made


KERNEL = [1, 2, 3, 2, 1, 2, 4, 6, 4, 2, 3, 6, 9, 6, 3, 2, 4, 6, 4, 2, 1, 2, 3, 2, 1]
GOLD = 0xFFFFC000
GLOW = """<feGaussianBlur in="SourceAlpha" stdDeviation="6"/>
<feComponentTransfer result="a"><feFuncA type="linear" slope="2"/></feComponentTransfer>
<feFlood flood-color="#ffc000"/><feComposite in2="a" operator="in" result="g"/>
<feMerge><feMergeNode in="g"/><feMergeNode in="SourceGraphic"/></feMerge>"""


def skia_glow(skia, size):
    # The flood, seen through twice the alpha.
    tint = skia.ColorFilters.Matrix([0, 0, 0, 0, 1, 0, 0, 0, 0, 192 / 255, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0])
    glow = skia.ImageFilters.ColorFilter(tint, skia.ImageFilters.Blur(6, 6))
    return skia.ImageFilters.Merge([glow, None])


def skia_noise(skia, size):
    return skia.PerlinNoiseShader.MakeTurbulence(.02, .02, 4, 0)


def blur(deviation):
    return ('<feGaussianBlur stdDeviation="%d"/>' % deviation,
            lambda skia, size: skia.ImageFilters.Blur(deviation, deviation))


# Name: the primitives in SVG, and a function that makes Skia's filter.
FILTERS = {
    "none": ("", None),
    "blur 2": blur(2),
    "blur 10": blur(10),
    "blur 50": blur(50),
    "shadow": ('<feDropShadow dx="12" dy="12" stdDeviation="8" flood-opacity=".7"/>',
               lambda skia, size: skia.ImageFilters.DropShadow(12, 12, 8, 8, skia.Color(0, 0, 0, 178))),
    "turbulence": ('<feTurbulence baseFrequency=".02" numOctaves="4"/>', skia_noise),
    "diffuse light": (
        '<feDiffuseLighting surfaceScale="4" lighting-color="#fc8"><fePointLight x="300" y="200" z="150"/>'
        "</feDiffuseLighting>",
        lambda skia, size: skia.ImageFilters.PointLitDiffuse(
            skia.Point3(300, 200, 150), 0xFFFFCC88, 4, 1, None)),
    "specular light": ('<feSpecularLighting surfaceScale="4" specularExponent="20" lighting-color="#fc8">'
                       '<feDistantLight azimuth="30" elevation="45"/></feSpecularLighting>',
                       lambda skia, size: skia.ImageFilters.DistantLitSpecular(
                           skia.Point3(.6123724, .3535534, .7071068), 0xFFFFCC88, 4, 1, 20, None)),
    "convolve 5x5": ('<feConvolveMatrix order="5" kernelMatrix="%s" edgeMode="none"/>' % " ".join(map(str, KERNEL)),
                     lambda skia, size: skia.ImageFilters.MatrixConvolution(
                         skia.ISize(5, 5), KERNEL, 1 / sum(KERNEL), 0, skia.IPoint(2, 2), skia.TileMode.kDecal, True)),
    "glow": (GLOW, skia_glow),
}

# Name of the row: what is filtered (circles, tiger, or dots one by one), the filter, the size in pixels.
ROWS = {
    "blur 2, 1024": ("circles", "blur 2", 1024),
    "blur 10, 1024": ("circles", "blur 10", 1024),
    "blur 50, 1024": ("circles", "blur 50", 1024),
    "blur 2, 4096": ("circles", "blur 2", 4096),
    "blur 10, 4096": ("circles", "blur 10", 4096),
    "blur 50, 4096": ("circles", "blur 50", 4096),
    "tiger's shadow, 1024": ("tiger", "shadow", 1024),
    "turbulence, 1024": ("circles", "turbulence", 1024),
    "diffuse light, 1024": ("circles", "diffuse light", 1024),
    "specular light, 1024": ("circles", "specular light", 1024),
    "convolve 5x5, 1024": ("circles", "convolve 5x5", 1024),
    "glow, 1024": ("circles", "glow", 1024),
    "1000 glows, 1024": ("dots", "glow", 1024),
}


def svg(row, tiger):
    """The document of a row; `tiger`: that of the tiger, 900 units wide."""
    content, name, size = ROWS[row]
    region = 'x="0" y="0" width="%d" height="%d" filterUnits="userSpaceOnUse"' % (size, size)
    use = ' filter="url(#f)"'
    if content == "dots":
        region = 'x="-1" y="-1" width="3" height="3"'
    text = ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">\n'
            '<filter id="f" %s color-interpolation-filters="sRGB">%s</filter>\n' %
            (size, size, region, FILTERS[name][0]))
    if content == "tiger":
        inner = tiger[tiger.index("<defs>") if "<defs>" in tiger else tiger.index("<path"):tiger.rindex("</svg>")]
        return text + '<g%s><g transform="scale(%.9g)">%s</g></g></svg>' % (use, size / 900, inner)
    shapes = circles(size) if content == "circles" else dots(size)
    each = use if content == "dots" else ""
    text += "<g%s>" % ("" if each else use)
    for x, y, r, color, opacity in shapes:
        text += '<circle cx="%s" cy="%s" r="%s" fill="%s" opacity="%s"%s/>\n' % (x, y, r, color, opacity, each)
    return text.replace('opacity="1"', "").replace(" opacity=", " fill-opacity=") + "</g></svg>\n"
