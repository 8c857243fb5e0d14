# The rows of tables that CMake collects from files. `cmake -DCOMPUTE=FOLDER -P rows.cmake` prints them.

# Sets `out` to the names of all rows `const struct method method_NAME` in the folder, in the order of the
# files. A row may be split over lines. An error if a row has another form, as from a macro.
function(cubist_method_rows folder out)
  file(GLOB files ${folder}/*.c)
  set(blank "[ \t\r\n]+")
  foreach(file ${files})
    file(READ ${file} text)
    string(REGEX MATCHALL "struct${blank}method${blank}method_[a-z0-9_]+[ \t\r\n]*=" rows "${text}")
    string(REGEX MATCHALL "\\.summary" summaries "${text}")
    list(LENGTH rows found)
    list(LENGTH summaries count)
    if(NOT found EQUAL count)
      message(FATAL_ERROR "${file} has ${count} methods, of which ${found} are in the form "
        "`const struct method method_NAME = {`")
    endif()
    list(TRANSFORM rows REPLACE ".*method_([a-z0-9_]+)[ \t\r\n]*=" "\\1")
    list(APPEND all ${rows})
  endforeach()
  set(${out} ${all} PARENT_SCOPE)
endfunction()

# An error if a file of the folder formats/ has no row in mesh_formats.c.
function(cubist_check_mesh_formats folder)
  file(READ ${folder}/mesh_formats.c table)
  file(GLOB files ${folder}/formats/*.c)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    if(NOT table MATCHES "mesh_(put|format)_${name}[^a-z0-9_]")
      message(FATAL_ERROR "${file} has no row in ${folder}/mesh_formats.c")
    endif()
  endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  cubist_method_rows(${COMPUTE}/compaction/methods rows)
  cubist_check_mesh_formats(${COMPUTE}/mesh)
  message("${rows}")
endif()
