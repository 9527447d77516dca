#!/usr/bin/env python3
"""Skia's CPU raster (PyPI skia-python) as an adapter of filters.py: peer_skia_filters.py ROW TIGER.dl SECONDS
MIN_FRAMES [DUMP.ppm]. The picture is recorded once; a frame clears to white and plays it."""
import json
import sys
import time

import skia

import filter_scenes
import peer_skia


def record(row, tiger):
    content, name, size = filter_scenes.ROWS[row]
    made = filter_scenes.FILTERS[name][1](skia, size)
    recorder = skia.PictureRecorder()
    canvas = recorder.beginRecording(skia.Rect.MakeWH(size, size))
    if name == "turbulence":
        canvas.drawRect(skia.Rect.MakeWH(size, size), skia.Paint(Shader=made))
        return recorder.finishRecordingAsPicture(), size
    filtered = skia.Paint(ImageFilter=made)
    if content != "dots":
        canvas.saveLayer(None, filtered)
    if content == "tiger":
        picture, width = peer_skia.record(tiger)
        canvas.scale(size / width, size / width)
        canvas.drawPicture(picture)
    else:
        shapes = filter_scenes.circles(size) if content == "circles" else filter_scenes.dots(size)
        for x, y, r, color, opacity in shapes:
            value = int(color[1:], 16)
            alpha = int(opacity * 255 + .5)
            paint = skia.Paint(AntiAlias=True, Color=skia.Color(value >> 16, value >> 8 & 255, value & 255, alpha))
            if content == "dots":
                paint.setImageFilter(made)
            canvas.drawCircle(x, y, r, paint)
    if content != "dots":
        canvas.restore()
    return recorder.finishRecordingAsPicture(), size


def main():
    row, tiger, seconds, min_frames = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    picture, size = record(row, tiger)
    surface = skia.Surface.MakeRaster(skia.ImageInfo.MakeN32Premul(size, size))
    canvas = surface.getCanvas()
    cpu = []
    begin = time.perf_counter()
    while len(cpu) < min_frames + 1 or time.perf_counter() - begin < seconds:
        start = time.process_time()
        canvas.clear(skia.ColorWHITE)
        canvas.drawPicture(picture)
        cpu.append(round((time.process_time() - start) * 1e3, 4))
    print(json.dumps({"peer": "skia", "cpu": cpu[1:]}))
    if len(sys.argv) > 5:
        pixels = surface.makeImageSnapshot().toarray(colorType=skia.kRGBA_8888_ColorType)
        with open(sys.argv[5], "wb") as out:
            out.write(b"P6\n%d %d\n255\n" % (size, size) + pixels[:, :, :3].tobytes())


if __name__ == "__main__":
    main()
