// Decodes the contents of one VTK XML DataArray into samples. Text or bytes come in chunks of any
// size.
//
// Binary contents begin with a header of words of 32 or 64 bits: the count of bytes, or, with zlib,
// [blocks, block size, size of the last block if it is smaller, packed size of each block]. Base64
// may be padded after the header, so it is decoded in groups of four.
#pragma once

#include "volumes/formats/samples.h"

#include <zlib.h>

enum vtk_encoding { VTK_ASCII, VTK_BASE64, VTK_RAW };

struct vtk_array {
    struct samples *samples;
    enum vtk_encoding encoding;
    bool zlib;
    bool done;       // all samples have come; further contents are ignored
    uint64_t wanted; // number of samples that the array must have

    // About the header of the contents:
    size_t word_size;
    enum byte_order order;
    unsigned char word[8];
    size_t word_filled;
    uint64_t words;
    uint64_t blocks, block_size, last_size, packed; // packed: compressed bytes of all blocks
    bool in_data;

    uint64_t taken; // bytes of the samples (plain), or of the packed blocks (zlib), so far
    uint64_t block, block_made;
    z_stream stream;
    bool inflating;

    unsigned quad, quad_filled, quad_padding;
    char token[64];
    size_t token_filled;

    uint64_t staged[1024]; // samples in the form of the file
    size_t staged_size;    // bytes in `staged`
};

// `samples` is initialised and borrowed. `word_size` and `order` describe the words of the header
// before the contents.
bool vtk_array_begin(
    struct vtk_array *array, struct samples *samples, enum vtk_encoding encoding, bool zlib,
    size_t word_size, enum byte_order order, struct problem *problem);

// PROBLEM_INPUT where the contents do not match the volume.
bool vtk_array_put(
    struct vtk_array *array, const void *bytes, size_t size, struct problem *problem);

// Call it after the last chunk. PROBLEM_INPUT where samples are missing.
bool vtk_array_end(struct vtk_array *array, struct problem *problem);

// The struct may be zeroed.
void vtk_array_destroy(struct vtk_array *array);
