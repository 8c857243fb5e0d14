// Reads the numbers of one VTK XML DataArray in text, which comes in pieces of any size.
#pragma once

#include "volumes/formats/samples.h"

// Set `samples`, which is borrowed; the others are zero.
struct vtk_array {
    struct samples *samples;
    bool done; // all samples have come; further text is ignored
    char token[64];
    size_t token_filled;
    uint64_t staged[1024]; // samples in the form of the file
    size_t staged_size;    // bytes in `staged`
};

// PROBLEM_INPUT where the text does not match the volume.
bool vtk_array_put(struct vtk_array *array, const char *text, size_t size, struct problem *problem);

// Call it after the last piece. PROBLEM_INPUT where samples are missing.
bool vtk_array_end(struct vtk_array *array, struct problem *problem);
