// Shared by the fuzz targets. A target is LLVMFuzzerTestOneInput: it uses any bytes as input and
// aborts if a promise is broken. libFuzzer calls it, or replay.c with files.
//
// Bytes that are read as a volume are one file, or several with a line before each:
//
//     @@ header.nhdr dims=4x4x4 type=uint8 order=big offset=3 array=a spacing=1,2,3
//     ...
//     @@ data.raw
//     ...
//
// The first file is opened ("@@ ." is the folder with all of them). The words after its name are
// the params.
#pragma once

#include "tests/fuzz/files.h"
#include "volumes/volume.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Whether the last bytes were accepted: replay.c reads it.
extern bool fuzz_accepted;

// Set by replay.c: everything that a fuzzer tries sometimes is tried each time, with every failure.
extern bool fuzz_thorough;

// Aborts with a line that says which promise is broken.
#define HOLDS(condition, ...)                                                                      \
    ((condition) ? (void)0                                                                         \
                 : (fprintf(stderr, "%s:%d: not %s: ", __FILE__, __LINE__, #condition),            \
                    fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), abort()))

// Numbers that depend only on the bytes, so that a run can be repeated.
void draw_begin(const uint8_t *data, size_t size);
uint32_t draw(void);
bool one_in(uint32_t n); // always with fuzz_thorough

// Fills memory that malloc returns from now on (up to 64 KiB at a time), and the stack, with a
// pattern that depends on `byte`: memory that is never written differs between two bytes.
void poison(unsigned char byte);

// The n-th allocation of our own code from now on fails; 0: none. Returns whether the previous
// request was reached.
bool allocation_fails(uint32_t n);

struct request {
    char path[96];
    struct volume_params params;
    char array[40];
};

// Removes the files of the last input and makes those of this one; `name` is the name of a single
// file.
void request_open(const uint8_t *data, size_t size, const char *name, struct request *out);

// Calls volume_read and checks the result: a valid volume, or one line, an allowed code and an
// empty volume. Warnings are whole lines, and there are none before a refusal.
bool read_checked(const struct request *request, struct volume *out, struct problem *problem);

// Checks a refusal; `usage`: PROBLEM_USAGE is allowed.
void check_refusal(const struct problem *problem, bool usage);

// Aborts if they differ in anything; `samples`: compares these, too.
void check_equal(const struct volume *a, const struct volume *b, bool samples);

// Makes a small volume whose samples are the bytes; never fails. The dims are at most 9.
void volume_of_bytes(const uint8_t *data, size_t size, struct volume *out);
