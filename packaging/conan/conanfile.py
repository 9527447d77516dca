"""conan create packaging/conan: stijl of the sources that this file lies in, with the libraries of the system."""
import os

from conan import ConanFile
from conan.tools.files import copy, load, rm, rmdir
from conan.tools.gnu import PkgConfigDeps
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson, MesonToolchain
from conan.tools.system.package_manager import Apt, Dnf

SOURCES = ("LICENSE", "meson.build", "meson_options.txt", "cli/*", "data/*", "docs/stijl.1", "include/*", "shaders/*",
           "src/*")


class Stijl(ConanFile):
    name = "stijl"
    license = "MIT"
    description = "2D vector renderer with the same bits everywhere"
    topics = ("svg", "2d", "renderer", "vulkan")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False], "vulkan": [True, False], "text": [True, False]}
    default_options = {"shared": True, "fPIC": True, "vulkan": True, "text": True}
    languages = "C"

    @property
    def top(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        line = next(line
                    for line in load(self, os.path.join(self.top, "meson.build")).splitlines() if "  version:" in line)
        self.version = line.split("'")[1]

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, self.top, self.export_sources_folder)

    def layout(self):
        basic_layout(self)

    def system_requirements(self):
        # Opened at run time, but for expat: the headers tell the build their names and functions.
        Apt(self).install(["libexpat1-dev", "zlib1g-dev", "libpng-dev", "libjpeg-dev", "libwebp-dev", "libgif-dev",
                           "libgumbo-dev"]
                          + (["libharfbuzz-dev", "libfreetype-dev", "libfribidi-dev", "libfontconfig-dev",
                              "libunibreak-dev", "libcairo2-dev"] if self.options.text else [])
                          + (["glslc", "spirv-tools", "libvulkan-dev"] if self.options.vulkan else []))
        Dnf(self).install(["expat-devel", "zlib-devel", "libpng-devel", "libjpeg-turbo-devel", "libwebp-devel",
                           "giflib-devel", "gumbo-parser-devel"]
                          + (["harfbuzz-devel", "freetype-devel", "fribidi-devel", "fontconfig-devel",
                              "libunibreak-devel", "cairo-devel"] if self.options.text else [])
                          + (["glslc", "spirv-tools", "vulkan-headers"] if self.options.vulkan else []))

    def generate(self):
        toolchain = MesonToolchain(self)
        toolchain.project_options["auto_features"] = "enabled"
        toolchain.project_options["tests"] = False
        toolchain.project_options["viewer"] = "disabled"
        toolchain.project_options["text"] = "enabled" if self.options.text else "disabled"
        toolchain.project_options["vulkan"] = "enabled" if self.options.vulkan else "disabled"
        toolchain.generate()
        PkgConfigDeps(self).generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        Meson(self).install()
        # Conan writes these itself; and a package has one kind of the libraries.
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rm(self, "libstijl*.a" if self.options.shared else "libstijl*.so*", os.path.join(self.package_folder, "lib"))

    def package_info(self):
        self.cpp_info.libs = ["stijl"]
        self.cpp_info.set_property("cmake_file_name", "stijl")
        self.cpp_info.set_property("cmake_target_name", "stijl::stijl" if self.options.shared else "stijl::static")
        self.cpp_info.set_property("pkg_config_name", "stijl")
        if not self.options.shared:
            self.cpp_info.system_libs = ["expat", "m", "dl", "pthread"]
