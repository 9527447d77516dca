"""The examples of docs/python.md and docs/tutorial/python.md, one after the other, in a folder of their own."""

import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Tutorial(unittest.TestCase):
    def run_page(self, page, least, pictures):
        """Runs all blocks, and returns the pictures that they leave."""
        try:
            import numpy, PIL  # noqa: F401, E401
        except ImportError as error:
            self.skipTest(str(error))
        blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / page).read_text(), re.M | re.S)
        self.assertGreaterEqual(len(blocks), least)
        names, said = {}, io.StringIO()
        old = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
            os.symlink(SOURCE / "docs", os.path.join(folder, "docs"))
            os.chdir(folder)
            try:
                for block in blocks:
                    exec(compile(block, page, "exec"), names)
                self.assertEqual(sorted(n for n in os.listdir() if n.endswith(".png")), pictures)
                found = [pathlib.Path(name).read_bytes() for name in pictures]
            finally:
                os.chdir(old)
        # What a comment behind print() says.
        for expected in re.findall(r"^ *print\(.*\) +# (.*)$", "".join(blocks), re.M):
            self.assertIn(expected + "\n", said.getvalue())
        return found

    def test_examples(self):
        stages = ["stage0.png", "stage1.png", "stage2.png"]
        self.run_page("docs/python.md", 6, ["atlas.png", "box.png", "picture.png", *stages, "star.png"])

    def test_page(self):
        import stijl

        (drawn,) = self.run_page("docs/tutorial/python.md", 4, ["python.png"])
        shown = (SOURCE / "docs" / "tutorial" / "python.png").read_bytes()
        self.assertEqual(bytes(stijl.Image.decode(drawn)), bytes(stijl.Image.decode(shown)))
