"""The examples of docs/python.md, one after the other, in a folder of their own."""

import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Tutorial(unittest.TestCase):
    def test_examples(self):
        try:
            import numpy, PIL  # noqa: F401, E401
        except ImportError as error:
            self.skipTest(str(error))
        blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / "docs" / "python.md").read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 4)
        names, said = {}, io.StringIO()
        old = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
            os.symlink(SOURCE / "docs", os.path.join(folder, "docs"))
            os.chdir(folder)
            try:
                for block in blocks:
                    exec(compile(block, "docs/python.md", "exec"), names)
                self.assertEqual(
                    sorted(n for n in os.listdir() if n.endswith(".png")), ["box.png", "picture.png", "star.png"]
                )
            finally:
                os.chdir(old)
        # What a comment behind print() says.
        for expected in re.findall(r"^ *print\(.*\) +# (.*)$", "".join(blocks), re.M):
            self.assertIn(expected + "\n", said.getvalue())
