// One TIFF image of one page, as a slice of a folder.
#pragma once

#include "volumes/formats/source.h"
#include "volumes/volume.h"

struct tiff_slice {
    uint32_t width, height;
    enum volume_type type;
    bool white_is_zero; // samples are as stored all the same
};

// Reads what the page is like. PROBLEM_INPUT, also where there are several, or no libtiff.
bool tiff_slice_probe(struct source *source, struct tiff_slice *out, struct problem *problem);

// Fills `samples`, the page's rows from the top, of the type in the file, in host order: what a
// palette of greys leads to, or what is stored.
// PROBLEM_INPUT where the page is not like `expected` any more.
bool tiff_slice_read(
    struct source *source, const struct tiff_slice *expected, void *samples,
    struct problem *problem);
