# cpack runs this on the tree before it packs it. Debian needs some files in another place or form.
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
if(CPACK_GENERATOR STREQUAL "DEB" AND IS_DIRECTORY ${share}/zsh/site-functions)
  file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  file(RENAME ${share}/doc/cubist/LICENSE ${share}/doc/cubist/copyright)
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/changelog DESTINATION ${share}/doc/cubist
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  execute_process(
    COMMAND gzip -9n ${share}/doc/cubist/changelog ${share}/man/man1/cubist.1
    COMMAND_ERROR_IS_FATAL ANY)
endif()
