// One TIFF image of one page, as a slice of a folder.
#pragma once

#include "volumes/formats/source.h"
#include "volumes/volume.h"

// What is read from the header of a slice. All slices of a folder have the first three in common.
struct slice_shape {
    uint32_t width, height;
    enum volume_type type;
    bool white_is_zero; // the samples are used as stored
    bool recoloured;    // the samples are replaced by the greys of a palette
};

// Reads the properties of the page. PROBLEM_INPUT also where there are several pages, or no
// libtiff.
bool tiff_slice_probe(struct source *source, struct slice_shape *out, struct problem *problem);

// Fills `samples` with the page's rows from the top, in the file's type and host order. A palette
// of greys is applied, except in files of ImageJ or OME. PROBLEM_INPUT where the page no longer
// matches `expected`.
bool tiff_slice_read(
    struct source *source, const struct slice_shape *expected, void *samples,
    struct problem *problem);
