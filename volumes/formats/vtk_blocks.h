// The binary contents of one VTK XML DataArray, read in blocks: raw bytes or base64, plain or
// compressed.
//
// They begin with a header of words of 32 or 64 bits. Without zlib it has the count of bytes. With
// zlib it has the count of blocks, the bytes of a block, those of the last block if it is smaller,
// and the packed bytes of each block. Base64 may be padded after the header. If the base64 has no
// blanks or line breaks, each block is read from its offset in the file. Otherwise its digits are
// first copied to a file in memory.
#pragma once

#include "volumes/formats/samples.h"
#include "volumes/formats/source.h"

// Set the first members; the others are zero. Release with vtk_blocks_free.
struct vtk_blocks {
    struct source *source;
    bool base64, zlib;
    size_t word_size;
    enum byte_order order;
    uint64_t at, end;       // where the contents begin in the file, and cannot go on; equal: they
                            // are only found by `feed`
    uint64_t bytes, sample; // bytes of all samples, and of one
    // Passes the contents to vtk_blocks_put, as the XML has them. NULL: they are from `at` on.
    bool (*feed)(void *user, struct problem *problem);
    void *user;

    uint64_t header;                     // bytes
    bool apart;                          // the header is padded
    uint64_t count, size, last, *begins; // blocks; their offsets behind the header, and the end
    unsigned char *packed;               // a compressed block
    uint64_t packed_room;
    struct source copy; // the contents without blanks; closed: they are read from the file
    int odd;            // a byte that is not base64 has ended the copy; 0: none
};

// Reads the header. PROBLEM_INPUT where it does not match the samples.
bool vtk_blocks_begin(struct vtk_blocks *blocks, struct problem *problem);

// Text of the contents, for `feed`.
bool vtk_blocks_put(
    struct vtk_blocks *blocks, const char *text, size_t size, struct problem *problem);

// Copies the contents; `source`, `at` and `end` are those of the copy then. Text that is not base64
// is copied with its blanks.
bool vtk_blocks_copy(struct vtk_blocks *blocks, struct problem *problem);

// Decodes block `number`: blocks->size bytes; the last one may have fewer.
bool vtk_blocks_read(
    struct vtk_blocks *blocks, uint64_t number, void *out, struct problem *problem);

void vtk_blocks_free(struct vtk_blocks *blocks);
