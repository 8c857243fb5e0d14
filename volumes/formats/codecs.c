#include "volumes/formats/codecs.h"

#include "volumes/formats/samples.h"

#include <blosc.h>
#include <limits.h>
#include <lz4.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

uint32_t codec_crc32c(const unsigned char *bytes, size_t count)
{
    uint32_t sums[8][256]; // of a byte that is followed by 0 to 7 zero bytes
    for (uint32_t i = 0; i < 256; i++) {
        sums[0][i] = i;
        for (int bit = 0; bit < 8; bit++) {
            sums[0][i] = sums[0][i] >> 1 ^ (sums[0][i] & 1 ? 0x82f63b78 : 0);
        }
    }
    for (uint32_t i = 0; i < 7 * 256; i++) {
        const uint32_t sum = sums[i / 256][i % 256];
        sums[i / 256 + 1][i % 256] = sum >> 8 ^ sums[0][sum & 255];
    }
    uint32_t sum = UINT32_MAX;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint32_t next = 0;
        for (int i = 0; i < 8; i++) {
            next ^= sums[7 - i][(bytes[i] ^ (i < 4 ? sum >> 8 * i : 0)) & 255];
        }
        sum = next;
    }
    for (; count > 0; bytes++, count--) {
        sum = sum >> 8 ^ sums[0][(sum ^ *bytes) & 255];
    }
    return ~sum;
}

static bool codec_inflate(
    const unsigned char *bytes, size_t count, unsigned char *out, size_t most, size_t *size,
    bool *memory)
{
    z_stream stream = { 0 };
    if (count > UINT_MAX || most > UINT_MAX) {
        return false;
    }
    *memory = inflateInit2(&stream, 15 + 32) == Z_OK;
    if (!*memory) {
        return false;
    }
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = out;
    stream.avail_out = (uInt)most;
    int result;
    do { // gzip may have several members
        result = inflate(&stream, Z_FINISH);
    } while (result == Z_STREAM_END && stream.avail_in > 0 && inflateReset(&stream) == Z_OK);
    *size = most - stream.avail_out;
    inflateEnd(&stream);
    *memory = result != Z_MEM_ERROR;
    return result == Z_STREAM_END;
}

static bool
codec_unlz4(const unsigned char *bytes, size_t count, unsigned char *out, size_t most, size_t *size)
{
    if (count > INT_MAX || most > INT_MAX) {
        return false;
    }
    const int got = LZ4_decompress_safe((const char *)bytes, (char *)out, (int)count, (int)most);
    *size = got > 0 ? (size_t)got : 0;
    return got >= 0;
}

// Blocks with a head of 21 bytes: "LZ4Block", a method, sizes of the block packed and unpacked, and
// a sum of another kind. A block without bytes ends the stream.
static bool codec_unlz4_blocks(
    const unsigned char *bytes, size_t count, unsigned char *out, size_t most, size_t *size)
{
    *size = 0;
    while (count >= 21 && memcmp(bytes, "LZ4Block", 8) == 0) {
        const size_t packed = sample_bits(bytes + 9, 4, false),
                     all = sample_bits(bytes + 13, 4, false);
        const bool plain = (bytes[8] & 0xf0) == 0x10;
        size_t got = packed;
        if (packed > count - 21 || all > most - *size || (plain && packed != all)) {
            return false;
        }
        if (plain) {
            memcpy(out + *size, bytes + 21, packed);
        } else if (!codec_unlz4(bytes + 21, packed, out + *size, all, &got) || got != all) {
            return false;
        }
        if (all == 0) {
            return true;
        }
        *size += all;
        bytes += 21 + packed;
        count -= 21 + packed;
    }
    return count == 0;
}

static bool codec_unblosc(
    const unsigned char *bytes, size_t count, unsigned char *out, size_t most, size_t *size)
{
    if (count < BLOSC_MIN_HEADER_LENGTH || blosc_cbuffer_validate(bytes, count, size) != 0 ||
        *size > most) {
        return false;
    }
    return *size == 0 || blosc_decompress_ctx(bytes, out, most, 1) == (int)*size;
}

// Undoes one codec. Sets *memory to false if memory is short.
static bool codec_undo(
    enum codec codec, const unsigned char *bytes, size_t count, unsigned char *out, size_t most,
    size_t *size, bool *memory)
{
    switch (codec) {
    case CODEC_DEFLATE:
        return codec_inflate(bytes, count, out, most, size, memory);
    case CODEC_ZSTD:
        *size = ZSTD_decompress(out, most, bytes, count);
        *memory = ZSTD_getErrorCode(*size) != ZSTD_error_memory_allocation;
        return !ZSTD_isError(*size);
    case CODEC_BLOSC:
        return codec_unblosc(bytes, count, out, most, size);
    case CODEC_LZ4:
        return count >= 4 && codec_unlz4(bytes + 4, count - 4, out, most, size) &&
               *size == sample_bits(bytes, 4, false);
    case CODEC_LZ4_BLOCKS:
        return codec_unlz4_blocks(bytes, count, out, most, size);
    default:
        return false;
    }
}

static const struct {
    const char *name, *fault;
    enum codec codec;
} codec_names[] = {
    { "gzip", "is not valid gzip", CODEC_DEFLATE },
    { "zlib", "is not valid zlib", CODEC_DEFLATE },
    { "zstd", "is not valid zstd", CODEC_ZSTD },
    { "blosc", "is not valid blosc", CODEC_BLOSC },
    { "lz4", "is not valid LZ4", CODEC_LZ4 },
    { "lz4 blocks", "is not valid LZ4", CODEC_LZ4_BLOCKS },
    { "crc32c", "does not have the bytes of its checksum", CODEC_CRC32C },
};

bool codecs_add(struct codecs *codecs, const char *name)
{
    for (size_t i = 0; i < sizeof codec_names / sizeof *codec_names; i++) {
        if (codecs->count < CODECS_MOST && strcmp(name, codec_names[i].name) == 0) {
            codecs->codec[codecs->count++] = codec_names[i].codec;
            return true;
        }
    }
    return false;
}

static const char *codec_fault(enum codec codec)
{
    size_t i = 0;
    while (codec_names[i].codec != codec) {
        i++;
    }
    return codec_names[i].fault;
}

const char codecs_no_memory[] = "is not decoded: out of memory";

size_t codecs_spare(size_t most)
{
    return most + most / 8 + 4096;
}

const char *codecs_undo(
    const struct codecs *codecs, unsigned char *bytes, size_t count, unsigned char *spare,
    unsigned char *out, size_t most, size_t *size)
{
    const size_t room = codecs_spare(most);
    bool second = false; // half of `spare` that is free
    for (size_t i = codecs->count; i-- > 0;) {
        const enum codec codec = codecs->codec[i];
        if (codec == CODEC_CRC32C) {
            if (count < 4 || codec_crc32c(bytes, count - 4) !=
                                 (uint32_t)sample_bits(bytes + count - 4, 4, false)) {
                return codec_fault(codec);
            }
            count -= 4;
            continue;
        }
        unsigned char *to = i == 0 ? out : spare + (second ? room : 0);
        second = !second;
        bool memory = true;
        if (!codec_undo(codec, bytes, count, to, i == 0 ? most : room, &count, &memory)) {
            return memory ? codec_fault(codec) : codecs_no_memory;
        }
        bytes = to;
    }
    if (bytes != out) { // nothing is compressed, or a sum was within
        if (count > most) {
            return "has more bytes than its samples take";
        }
        memcpy(out, bytes, count);
    }
    *size = count;
    return NULL;
}
