// Guesses for a raw file that says nothing about its samples: dims, type and bytes of a header that
// fit the file's size exactly. Also dims near given ones that do not fit.
#pragma once

#include "volumes/formats/source.h"
#include "volumes/volume.h"

struct raw_guess {
    uint32_t dim[3];
    enum volume_type type; // the commonest type of its size: a file of int16 fits uint16, too
    uint64_t offset;       // bytes before the samples
    double doubt;          // less likely guesses have a greater doubt
};

extern const enum volume_type raw_types[4]; // the commonest type of each size, in ascending order

// Writes up to `capacity` guesses for a file of `bytes` bytes, the best first, and returns how
// many. The order is by shape: cubes, stacks of square slices, others; then by numbers: powers of
// two, multiples of 32, of 16, of 10, of 8, others. Guesses without a header come before those with
// one. Three different dims are guessed only if width and height are multiples of 16.
uint32_t raw_guess(uint64_t bytes, struct raw_guess *out, uint32_t capacity);

// The bytes of header and samples; for a gzip file, their count after inflating. 0 where the end of
// a gzip file does not state them.
uint64_t raw_guess_bytes(struct source *source);

// Whether the file can only be read as raw samples of dims that a person must give: neither its
// bytes nor its name say what it is. Then sets *bytes.
bool raw_guess_needed(const char *path, uint64_t *bytes);

// "64x64x64 uint8", with "after 352 bytes" where there is a header.
void raw_guess_text(const struct raw_guess *guess, char *out, size_t size);

// Writes `count` guesses in the form of raw_guess_text, joined by ", ".
void raw_guess_list(const struct raw_guess *guesses, uint32_t count, char *text, size_t size);

// Writes up to three suggestions for `bytes` of samples near `dim` and `type`, joined by ", "
// ("64x64x32 uint8, ..."), or an empty text.
void raw_fit(uint64_t bytes, const uint64_t dim[3], enum volume_type type, char *text, size_t size);

// The bytes of the offset and of all samples of `size` bytes each; UINT64_MAX where 64 bits are too
// few.
uint64_t raw_fit_bytes(const uint64_t dim[3], size_t size, uint64_t offset);

// Says that the size of the file does not fit its dims, type and offset, and what would fit. `has`
// is put before the number of bytes ("", "inflated "). PROBLEM_INPUT; returns false.
bool raw_fit_refuse(
    const char *path, const char *has, uint64_t bytes, uint64_t offset, const uint64_t dim[3],
    enum volume_type type, struct problem *problem);
