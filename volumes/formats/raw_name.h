// Reads size and type of a raw volume from a file name such as NAME_WxHxD_TYPE.raw (the names of
// the open-scivis collection). Explains a file whose size differs from the expected one.
#pragma once

#include "volumes/volume.h"

struct raw_name {
    bool raw;  // ends in .raw or .raw.gz
    bool gzip; // ends in .gz
    bool has_dim;
    uint64_t dim[3]; // as written; UINT64_MAX where 64 bits are too few
    bool has_type;
    enum volume_type type;
    char foreign_type[16]; // a type that is named but not read (int64, float16), else empty
    enum byte_order order;
};

// Reads the last component of `path`, ignoring case. Its form is
//     [NAME sep] W x H x D [sep TYPE] [sep le or be] .raw [.gz]
// where sep is one of _ . and -. It is read from its end, because NAME may hold digits.
void raw_name_parse(const char *path, struct raw_name *out);

// Writes up to three suggestions for `bytes` of samples near `dim` and `type`, joined by ", "
// ("64x64x32 uint8, ..."), or an empty text.
void raw_fit(uint64_t bytes, const uint64_t dim[3], enum volume_type type, char *text, size_t size);

// The bytes of the offset and of the samples with `size` bytes each; UINT64_MAX where 64 bits are
// too few.
uint64_t raw_fit_bytes(const uint64_t dim[3], size_t size, uint64_t offset);

// Says that the size of the file does not fit its dims, type and offset, and what would fit. `has`:
// put before the number ("", "inflated "). PROBLEM_INPUT; returns false.
bool raw_fit_refuse(
    const char *path, const char *has, uint64_t bytes, uint64_t offset, const uint64_t dim[3],
    enum volume_type type, struct problem *problem);
