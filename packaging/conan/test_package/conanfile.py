"""Builds an example against the package, and runs it and the command."""
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class StijlTest(ConanFile):
    settings = "os", "compiler", "build_type", "arch"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str, run=True)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        target = "stijl::stijl" if self.dependencies["stijl"].options.shared else "stijl::static"
        cmake.configure(variables={"STIJL_TARGET": target})
        cmake.build()

    def test(self):
        if can_run(self):
            self.run("%s hello.png" % os.path.join(self.cpp.build.bindir, "hello"), env="conanrun")
            self.run("stijl compare hello.png hello.png", env="conanrun")
