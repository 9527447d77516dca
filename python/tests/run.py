"""run.py EXTENSION: the tests of this folder, as TAP, with the package put together from the sources and the
module that was built. Without one: with the package that is installed."""

import os
import sys
import tempfile
import unittest
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))


def put_together(extension, folder):
    package = os.path.join(folder, "stijl")
    os.mkdir(package)
    sources = os.path.join(SOURCE, "python", "stijl")
    for name in os.listdir(sources):
        os.symlink(os.path.join(sources, name), os.path.join(package, name))
    os.symlink(os.path.abspath(extension), os.path.join(package, os.path.basename(extension)))
    sys.path.insert(0, folder)


class Tap(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.bad = 0

    def tell(self, test, good, text="", skip=""):
        self.bad += not good
        for line in text.splitlines():
            print("# " + line)
        print("%s %d - %s%s" % ("ok" if good else "not ok", self.testsRun, test.id(), skip), flush=True)

    def addSuccess(self, test):
        self.tell(test, True)

    def addError(self, test, err):
        self.tell(test, False, self._exc_info_to_string(err, test))

    addFailure = addError

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.tell(subtest, False, self._exc_info_to_string(err, test))

    def addSkip(self, test, reason):
        self.tell(test, True, skip=" # SKIP " + reason)


def main():
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 1:
            put_together(sys.argv[1], folder)
        sys.path.insert(0, HERE)
        warnings.simplefilter("error")
        result = Tap()
        unittest.TestLoader().discover(HERE, "test_*.py").run(result)
        print("1..%d" % result.testsRun)
    sys.exit(1 if result.bad or not result.testsRun else 0)


main()
