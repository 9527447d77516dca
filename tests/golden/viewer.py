"""stijl view in a window of a virtual screen (Xvfb): its pixels are the command's, keys and the pointer do what they
say, and a file that changes is shown anew."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import tap

WIDTH, HEIGHT = 400, 300
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">' \
          '<rect width="200" height="100" fill="%s"/>' \
          '<circle id="sun" cx="50" cy="50" r="30" fill="#fc3"/><path d="M120 20 190 30 130 80Z" fill="teal"/></svg>'
MOVING = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="40" height="100" fill="red">' \
         '<animate attributeName="x" from="0" to="160" dur="4s"/></rect></svg>'


class Screen:
    """A virtual screen whose pixels are in a file, as XWD has them."""

    def __init__(self, folder):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-fbdir", folder,
             "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        number = os.fdopen(read).readline().strip()
        self.display = ":" + number
        self.file = folder + "/Xvfb_screen0"

    def pixels(self, x, y, width, height):
        data = open(self.file, "rb").read()
        header = struct.unpack(">25I", data[:100])
        first, stride = header[0] + 12 * header[19], header[12]
        rows = []
        for row in range(y, y + height):
            line = data[first + row * stride + 4 * x:first + row * stride + 4 * (x + width)]
            rows.append(bytes(v for i in range(0, len(line), 4) for v in (line[i + 2], line[i + 1], line[i])))
        return b"".join(rows)

    def close(self):
        self.server.terminate()
        self.server.wait()


class Viewer:
    def __init__(self, stijl, screen, *arguments):
        self.screen = screen
        self.environment = os.environ | {"DISPLAY": screen.display, "SDL_VIDEODRIVER": "x11",
                                         "SDL_RENDER_DRIVER": "software"}
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.process = subprocess.Popen([stijl, "view", "-w", str(WIDTH), "-h", str(HEIGHT), *arguments],
                                        env=self.environment,
                                        stderr=subprocess.PIPE, text=True)
        self.window = self.tool("search", "--sync", "--onlyvisible", "--name", "stijl").split()[0]
        self.tool("windowfocus", "--sync", self.window)
        place = dict(line.split("=")
                     for line in self.tool("getwindowgeometry", "--shell", self.window).split("\n") if "=" in line)
        self.x, self.y = int(place["X"]), int(place["Y"])

    def tool(self, *arguments):
        return subprocess.run(["xdotool", *arguments], env=self.environment, check=True, stdout=subprocess.PIPE,
                              text=True,
                              timeout=60).stdout

    def key(self, *names):
        self.tool("key", *names)

    def pixels(self):
        return self.screen.pixels(self.x, self.y, WIDTH, HEIGHT)

    def shows(self, wanted, seconds=20):
        """Waits until the window shows what `wanted` accepts."""
        end = time.time() + seconds * (5 if tap.SANITIZED else 1)
        while not wanted(self.pixels()):
            if time.time() > end:
                return False
            time.sleep(0.05)
        return True

    def close(self):
        self.key("q")
        return self.process.wait(60)


def at(pixels, x, y):
    return tuple(pixels[3 * (y * WIDTH + x):3 * (y * WIDTH + x) + 3])


def tells_failure(pixels):
    """Whether some of the words at the top are red."""
    return any(r > 150 and g < 80 and b < 80
               for r, g, b in (at(pixels, x, y) for y in range(110) for x in range(WIDTH)))


def drawn(stijl, path, *options):
    """The command's picture on white, as rows of R, G, B."""
    out = path + ".ppm"
    subprocess.run([stijl, path, "-o", out, "-w", str(WIDTH), "--background", "white", "--format", "ppm", "--force",
                    *options], check=True)
    return open(out, "rb").read().split(b"\n", 3)[3]


def check(t, stijl, screen, folder):
    path = folder + "/a.svg"
    with open(path, "w") as file:
        file.write(PICTURE % "#abc")
    viewer = Viewer(stijl, screen, path)
    viewer.key("h", "b")  # no words; on white
    expected = drawn(stijl, path)
    top = 50 * WIDTH * 3
    t.test("its pixels are the command's", viewer.shows(lambda p: p[top:top + len(expected)] == expected))
    viewer.key("g")
    time.sleep(0.2)
    t.test("also once the GPU is asked for, if there is one",
           viewer.shows(lambda p: p[top:top + len(expected)] == expected))
    viewer.key("g")
    with open(path + ".new", "w") as file:
        file.write(PICTURE % "#102030")
    os.rename(path + ".new", path)
    t.test("a file that changes is shown anew", viewer.shows(lambda p: at(p, 2, 150) == (0x10, 0x20, 0x30)))
    with open(path, "w") as file:
        file.write("<svg")
    viewer.key("h")
    t.test("what cannot be read leaves the picture, and is told",
           viewer.shows(lambda p: at(p, 2, 150) == (0x10, 0x20, 0x30) and tells_failure(p)))
    with open(path, "w") as file:
        file.write(PICTURE % "#abc")
    viewer.shows(lambda p: at(p, 2, 150) == (0xaa, 0xbb, 0xcc))
    before = viewer.pixels()
    viewer.tool("mousemove", str(viewer.x + 100), str(viewer.y + 150))
    t.test("the element below the pointer is marked",
           viewer.shows(lambda p: at(p, 39, 150) != at(before, 39, 150) and at(p, 100, 150) == (0xff, 0xcc, 0x33)))
    viewer.tool("click", "4")  # the wheel
    t.test("the wheel zooms about the pointer",
           viewer.shows(lambda p: at(p, 100, 150) == (0xff, 0xcc, 0x33) and at(p, 100 - 68, 150) == (0xff, 0xcc, 0x33)))
    viewer.key("0", "h")
    viewer.tool("mousemove", str(viewer.x + 300), str(viewer.y + 20), "mousedown", "1", "mousemove",
                str(viewer.x + 330),
                str(viewer.y + 60), "mouseup", "1")
    t.test("dragging pans",
           viewer.shows(lambda p: at(p, 130, 190) == (0xff, 0xcc, 0x33) and at(p, 10, 190) == (255, 255, 255)))
    t.test("q ends it", viewer.close() == 0)


def check_time(t, stijl, screen, folder):
    path = folder + "/moving.svg"
    with open(path, "w") as file:
        file.write(MOVING)
    viewer = Viewer(stijl, screen, "--time", "1", path)
    viewer.key("h", "b")
    expected, top = drawn(stijl, path, "--time", "1"), 50 * WIDTH * 3
    t.test("an animation at a time", viewer.shows(lambda p: p[top:top + len(expected)] == expected))
    viewer.key("End")
    t.test("at its end", viewer.shows(lambda p: at(p, 10, 150) == (255, 0, 0)))
    viewer.key("Home", "space")
    t.test("it is played", viewer.shows(lambda p: at(p, 200, 150) == (255, 0, 0) and at(p, 10, 150) == (255, 255, 255)))
    viewer.key("space", "h")
    viewer.tool("mousemove", str(viewer.x + 8 + 96), str(viewer.y + HEIGHT - 10), "click", "1")
    t.test("the time line is pointed at",
           viewer.shows(lambda p: at(p, 90, 150) == (255, 0, 0) and at(p, 78, 150) == (255, 255, 255)))
    viewer.close()


def check_costs(t, stijl, screen, folder):
    """Many lines lie in the first of the window's blocks, on a rectangle."""
    path = folder + "/costly.svg"
    lines = "".join("<path d='M%d 0L%d 60' stroke='blue' stroke-width='.2'/>" % (i % 60, 60 - i % 60)
                    for i in range(500))
    with open(path, "w") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" '
                   'fill="#abc"/>%s</svg>' % lines)
    viewer, ground = Viewer(stijl, screen, path), (0xaa, 0xbb, 0xcc)
    viewer.key("h")
    t.test("a document without a map", viewer.shows(lambda p: at(p, 350, 250) == at(p, 62, 62) == ground))

    def marked(p):
        """The block of all lines is redder than its ground, and all others are as they were, or nearly."""
        red, _, blue = at(p, 62, 62)
        return red - blue > 60 and all(max(abs(a - b) for a, b in zip(at(p, x, y), ground)) < 30
                                       for x, y in ((66, 66), (350, 250), (398, 10), (10, 298)))

    for name in ("time", "draws", "edges"):
        viewer.key("m")
        t.test("a map of costs: " + name, viewer.shows(marked))
    viewer.key("Left")  # most of what lay in the block comes to lie in the next one
    t.test("a map follows the view", viewer.shows(lambda p: at(p, 126, 62)[0] - at(p, 126, 62)[2] > 60))
    viewer.key("m")
    t.test("it goes when it is pressed again", viewer.shows(lambda p: at(p, 350, 250) == at(p, 126, 62) == ground))
    viewer.close()


def main():
    stijl, viewer, t = sys.argv[1], sys.argv[2], tap.Tap()
    missing = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    if missing or not os.path.exists(viewer):
        t.skip("the viewer", "no " + " nor ".join(missing) if missing else "built without SDL 2")
        t.finish()
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(folder)
        try:
            check(t, stijl, screen, folder)
            check_time(t, stijl, screen, folder)
            check_costs(t, stijl, screen, folder)
            refused = subprocess.run([stijl, "view", folder + "/none.svg"],
                                     env=os.environ | {"DISPLAY": screen.display}, stderr=subprocess.PIPE, text=True)
            t.test("a file that is not there is told in one line",
                   refused.returncode == 1 and "No such file" in refused.stderr and refused.stderr.count("\n") == 1)
        finally:
            screen.close()
    t.finish()


main()
