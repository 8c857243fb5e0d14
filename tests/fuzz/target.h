// What the fuzz targets have in common. A target is LLVMFuzzerTestOneInput: it makes something of
// any bytes and aborts where a promise is broken. libFuzzer calls it, or replay.c with the files
// that it is given.
//
// Bytes that are to be read as a volume are one file, or several with a line before each:
//
//     @@ header.nhdr dims=4x4x4 type=uint8 order=big offset=3 array=a spacing=1,2,3
//     ...
//     @@ data.raw
//     ...
//
// The first is what is opened ("@@ ." is the folder with all of them), the words behind its name
// are the params.
#pragma once

#include "tests/fuzz/files.h"
#include "volumes/volume.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Whether the last bytes were taken for sound, rather than refused: replay.c asks for it.
extern bool fuzz_accepted;

// Set by replay.c: what a fuzzer tries now and then is tried each time, with every failure.
extern bool fuzz_thorough;

// Aborts with a line that says what does not hold.
#define HOLDS(condition, ...)                                                                      \
    ((condition) ? (void)0                                                                         \
                 : (fprintf(stderr, "%s:%d: not %s: ", __FILE__, __LINE__, #condition),            \
                    fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), abort()))

// Numbers that follow from the bytes, so that a run can be repeated.
void draw_begin(const uint8_t *data, size_t size);
uint32_t draw(void);
bool one_in(uint32_t n); // always with fuzz_thorough

// Fills memory that malloc hands out from here on (up to 64 KiB at a time), and the stack, with
// something that follows from `byte`: what is never written differs from one byte to another.
void poison(unsigned char byte);

// The n-th allocation of our own code from here on fails; 0: none. Returns whether the one asked
// for before has been reached.
bool allocation_fails(uint32_t n);

struct request {
    char path[96];
    struct volume_params params;
    char array[40];
};

// Forgets the files of the last input and makes those of this one; `name` is that of a single file.
void request_open(const uint8_t *data, size_t size, const char *name, struct request *out);

// volume_read between checks: a volume that is what volume.h says, or one line, a code that is
// allowed, and an empty volume. Warnings are whole lines, and there are none before a refusal.
bool read_checked(const struct request *request, struct volume *out, struct problem *problem);

// What a refusal must be, `usage` where PROBLEM_USAGE is allowed.
void check_refusal(const struct problem *problem, bool usage);

// Aborts where they differ in anything; `samples`: in these, too.
void check_equal(const struct volume *a, const struct volume *b, bool samples);

// A small volume whose samples are the bytes; always made. The dims are at most 9.
void volume_of_bytes(const uint8_t *data, size_t size, struct volume *out);
