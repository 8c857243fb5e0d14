# cpack runs this on the trees before it packs them. Debian needs some files in another place or form.
foreach(name cubist cubist-mpi cubist-formats)
  set(share ${CPACK_TEMPORARY_DIRECTORY}/${name}/usr/share)
  if(CPACK_GENERATOR STREQUAL "DEB" AND EXISTS ${share}/doc/${name}/LICENSE)
    if(IS_DIRECTORY ${share}/zsh)
      file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
    endif()
    file(RENAME ${share}/doc/${name}/LICENSE ${share}/doc/${name}/copyright)
    file(COPY ${CMAKE_CURRENT_LIST_DIR}/changelog DESTINATION ${share}/doc/${name}
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    file(GLOB pages ${share}/man/man1/*.1)
    execute_process(
      COMMAND gzip -9n ${share}/doc/${name}/changelog ${pages}
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
