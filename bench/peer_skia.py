#!/usr/bin/env python3
"""Skia's CPU raster (PyPI skia-python) as an adapter of the benchmark: command line and output as in frames.h, the
scene as in scenes.py. The scene is recorded once; a frame is a clear and a drawPicture."""
import json
import sys
import time

import skia

CAPS = {"butt": skia.Paint.kButt_Cap, "round": skia.Paint.kRound_Cap, "square": skia.Paint.kSquare_Cap}
JOINS = {"miter": skia.Paint.kMiter_Join, "round": skia.Paint.kRound_Join, "bevel": skia.Paint.kBevel_Join}


def color(text):
    value = int(text, 16)
    return skia.Color(value >> 24, value >> 16 & 255, value >> 8 & 255, value & 255)


def set_paint(paint, words):
    if words[0] == "solid":
        paint.setColor(color(words[1]))
        return
    x0, y0, x1, y1 = map(float, words[1:5])
    stops = words[6:6 + 2 * int(words[5])]
    paint.setShader(skia.GradientShader.MakeLinear(
        [skia.Point(x0, y0), skia.Point(x1, y1)], [color(c) for c in stops[1::2]], [float(o) for o in stops[::2]],
        skia.TileMode.kClamp))


def build_path(words):
    path = skia.Path()
    words = iter(words)
    take = lambda count: [float(next(words)) for _ in range(count)]
    for command in words:
        if command == "M":
            path.moveTo(*take(2))
        elif command == "L":
            path.lineTo(*take(2))
        elif command == "C":
            path.cubicTo(*take(6))
        else:
            path.close()
    return path


def record(file):
    recorder = skia.PictureRecorder()
    with open(file) as lines:
        for line in lines:
            kind, *words = line.split()
            if kind == "dl1":
                width = float(words[0])
                canvas = recorder.beginRecording(skia.Rect.MakeWH(width, float(words[1])))
            elif kind == "P":
                path = build_path(words)
            elif kind == "F":
                filled, paint = skia.Path(path), skia.Paint(AntiAlias=True)
                filled.setFillType(skia.PathFillType.kEvenOdd if words[0] == "eo" else skia.PathFillType.kWinding)
                set_paint(paint, words[1:])
                canvas.drawPath(filled, paint)
            else:
                paint = skia.Paint(AntiAlias=True, Style=skia.Paint.kStroke_Style, StrokeWidth=float(words[0]),
                                   StrokeCap=CAPS[words[1]], StrokeJoin=JOINS[words[2]], StrokeMiter=float(words[3]))
                set_paint(paint, words[4:])
                canvas.drawPath(path, paint)
    return recorder.finishRecordingAsPicture(), width


def main():
    file, size, threads, seconds, min_frames = sys.argv[1], *map(float, sys.argv[2:6])
    size = int(size)
    picture, width = record(file)
    surface = skia.Surface.MakeRaster(skia.ImageInfo.MakeN32Premul(size, size))
    canvas = surface.getCanvas()

    def frame():
        start = time.perf_counter()
        canvas.clear(skia.ColorWHITE)
        canvas.save()
        canvas.scale(size / width, size / width)
        canvas.drawPicture(picture)
        canvas.restore()
        return (time.perf_counter() - start) * 1e3

    first = frame()
    wall = []
    start = time.perf_counter()
    while len(wall) < min_frames or time.perf_counter() - start < seconds:
        wall.append(round(frame(), 4))
    print(json.dumps({"peer": "skia", "size": size, "threads": int(threads), "first": round(first, 4), "wall": wall}))
    if len(sys.argv) > 6:
        pixels = surface.makeImageSnapshot().toarray(colorType=skia.kRGBA_8888_ColorType)
        with open(sys.argv[6], "wb") as out:
            out.write(b"P6\n%d %d\n255\n" % (size, size) + pixels[:, :, :3].tobytes())


if __name__ == "__main__":
    main()
