# vcpkg install stijl --overlay-ports=packaging/vcpkg: stijl of the sources that this file lies in. All libraries are
# linked, as vcpkg's are no packages of the system that could be opened at run time.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

foreach(feature text vulkan)
  if(feature IN_LIST FEATURES)
    list(APPEND options -D${feature}=enabled)
  else()
    list(APPEND options -D${feature}=disabled)
  endif()
endforeach()

vcpkg_configure_meson(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -Dauto_features=enabled -Dcairo=disabled -Dwebp_animation=auto -Dtests=false -Dviewer=disabled -Dopen_libraries=false ${options})
vcpkg_install_meson()
vcpkg_copy_tools(TOOL_NAMES stijl AUTO_CLEAN)
vcpkg_fixup_pkgconfig()

# A triplet has one of the libraries, and headers once.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  file(GLOB unwanted "${CURRENT_PACKAGES_DIR}/lib/libstijl*.so*" "${CURRENT_PACKAGES_DIR}/debug/lib/libstijl*.so*")
else()
  file(GLOB unwanted "${CURRENT_PACKAGES_DIR}/lib/libstijl*.a" "${CURRENT_PACKAGES_DIR}/debug/lib/libstijl*.a")
endif()
if(unwanted)
  file(REMOVE ${unwanted})
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/stijl)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
