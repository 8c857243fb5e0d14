// What chunks of Zarr and N5 are compressed with: bytes to bytes, in memory.
#pragma once

#include "volumes/base/problem.h"

#include <stddef.h>
#include <stdint.h>

enum codec {
    CODEC_DEFLATE, // gzip or zlib; the first bytes say which
    CODEC_ZSTD,
    CODEC_BLOSC,
    CODEC_LZ4,        // the size in 4 bytes, then one block (numcodecs)
    CODEC_LZ4_BLOCKS, // the stream of lz4-java
    CODEC_CRC32C,     // the sum of the bytes behind them, checked
};

#define CODECS_MOST 4

// The codecs of a chunk, in the order in which they were applied when it was written.
struct codecs {
    enum codec codec[CODECS_MOST];
    size_t count;
};

// Adds the codec with this name. False: there is no such codec, or there are too many. Codecs that
// order samples, such as "bytes" and "transpose", are not added here.
bool codecs_add(struct codecs *codecs, const char *name);

// Decodes `bytes`, which it may overwrite, into `out`, which has room for `most` bytes. NULL: *size
// is the number of decoded bytes. Otherwise returns what is wrong ("is not valid zstd"). `spare`:
// memory for 2 * codecs_spare(most) bytes; it is not used with fewer than two codecs.
const char *codecs_undo(
    const struct codecs *codecs, unsigned char *bytes, size_t count, unsigned char *spare,
    unsigned char *out, size_t most, size_t *size);

// codecs_undo returns this text if memory is short.
extern const char codecs_no_memory[];

// How many bytes a chunk of `most` bytes has between two codecs, at most.
size_t codecs_spare(size_t most);

uint32_t codec_crc32c(const unsigned char *bytes, size_t count);
