// The binary contents of one VTK XML DataArray, read in blocks: raw bytes or base64, plain or
// compressed.
//
// They begin with a header of words of 32 or 64 bits. Without zlib it has the count of bytes. With
// zlib it has the count of blocks, the bytes of a block, those of the last block if it is smaller,
// and the packed bytes of each block. Base64 may be padded after the header.
//
// Each block is read from its offset in the file. In base64 with blanks or line breaks a block has
// no fixed offset. Then the base64 is first copied, without them, to a file in memory.
#pragma once

#include "volumes/formats/samples.h"
#include "volumes/formats/source.h"

// Set the first members; the others are zero. Release with vtk_blocks_free.
struct vtk_blocks {
    struct source *source;
    bool base64, zlib;
    size_t word_size;
    enum byte_order order;
    uint64_t at, end;       // the contents begin at `at` and end before `end`, offsets in the file;
                            // equal: the offsets are not known, only `feed` finds the contents
    uint64_t bytes, sample; // bytes of all samples, and of one
    // Passes the text of the contents to vtk_blocks_put, piece by piece. NULL: it is read from
    // `at`.
    bool (*feed)(void *user, struct problem *problem);
    void *user;

    uint64_t header;                     // bytes
    bool apart;                          // the header is padded
    uint64_t count, size, last, *begins; // blocks; their offsets behind the header, and the end
    unsigned char *packed;               // a compressed block
    uint64_t packed_room;
    struct source copy; // the contents without blanks; closed: there is no copy
    int odd;            // the byte that ended the copy because it is not base64; 0: none
};

// Reads the header. PROBLEM_INPUT where it does not match the samples.
bool vtk_blocks_begin(struct vtk_blocks *blocks, struct problem *problem);

// Takes a piece of the text of the contents. `feed` calls it.
bool vtk_blocks_put(
    struct vtk_blocks *blocks, const char *text, size_t size, struct problem *problem);

// Copies the contents to a file in memory, and sets `source`, `at` and `end` to the copy. Removes
// blanks from base64. Other text keeps its blanks.
bool vtk_blocks_copy(struct vtk_blocks *blocks, struct problem *problem);

// Decodes block `number`: blocks->size bytes; the last one may have fewer.
bool vtk_blocks_read(
    struct vtk_blocks *blocks, uint64_t number, void *out, struct problem *problem);

void vtk_blocks_free(struct vtk_blocks *blocks);
