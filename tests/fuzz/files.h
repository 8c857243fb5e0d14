// Files in memory for the code under test, at paths below /fuzz/: without kernel and disk, some
// 100,000 files per second can be read. The linker redirects the calls of our code to these
// functions (--wrap, see CMakeLists.txt); calls for other files go on to the C library.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILES_FOLDER "/fuzz"
#define FILES_MOST   20
#define FILES_NAME   64 // bytes of a name with its end

// Removes all files. Aborts if a descriptor of the previous run is still open.
void files_clear(void);

// `name` is relative to the folder and is cut if it is too long; a name with a slash makes folders.
// `bytes` are borrowed. False if there is no room.
bool files_add(const char *name, const void *bytes, size_t size);

// From now on, reads end `bytes` before the end of each file, but fstat reports the old size: the
// file has shrunk since it was opened. 0: off.
void files_shrink(size_t bytes);

// From now on, a read sometimes returns less than requested, or is interrupted. 0: never.
void files_interrupt(uint32_t seed);

// The n-th call from now on that reads or writes fails; 0: none. Returns whether the previous
// request was reached.
bool files_fail(uint32_t n);

// Standard input is a pipe with these bytes (borrowed) until files_clear.
void files_standard_input(const void *bytes, size_t size);

// What was written to standard output since files_clear; it is kept and not printed.
const unsigned char *files_written(size_t *size);
