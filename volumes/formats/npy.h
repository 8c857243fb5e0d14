// NumPy's arrays, for the two readers of them.
#pragma once

#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"

#define NPY_HEAD (READER_HEAD + 12) // bytes of an array's head that are looked at

struct npy_array {
    struct payload payload; // `offset` is the number of bytes of the head
    bool fortran;
};

// Describes the array that begins with these bytes. PROBLEM_INPUT.
bool npy_describe(
    const void *head, size_t size, const char *path, struct npy_array *out,
    struct problem *problem);

// Sets the directions: in Fortran order the axes are exchanged.
bool npy_place(
    const struct npy_array *array, const char *path, struct volume *volume,
    struct problem *problem);
