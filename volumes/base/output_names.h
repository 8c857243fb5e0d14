// The names of temporary files and folders, and the removal of those that killed runs left.
#pragma once

#include <stdbool.h>

#define OUTPUT_TEMPORARY 96 // bytes of a temporary name, with the terminating zero

// Bytes that output_host_prefix writes, with the terminating zero. OUTPUT_HOST of them are the
// start of the host's name.
#define OUTPUT_HOST        24
#define OUTPUT_HOST_PREFIX (sizeof ".cubist-" + OUTPUT_HOST + 10)

// The start of every temporary name of this host: ".cubist-HOST-HASH-". HOST is the start of the
// host's name, without characters that cannot stand in a file's name. HASH is computed from the
// whole name and the machine's id, because hosts on different networks may have the same name.
void output_host_prefix(char out[OUTPUT_HOST_PREFIX]);

void output_temporary_name(
    const char *prefix, long pid, unsigned number, char out[OUTPUT_TEMPORARY]);

// Removes the temporary files, and the temporary folders with their files, that killed runs of this
// user on this host left in the open `folder`.
void output_sweep(int folder, const char *prefix);

// Renames a temporary file or folder to `name`, which must be free. Returns false with errno on
// failure, EEXIST where the name is taken.
bool output_rename_to_free(int folder, const char *temporary, const char *name);
