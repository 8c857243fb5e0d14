// Reads size and type of a raw volume from a file name such as NAME_WxHxD_TYPE.raw (the names of
// the open-scivis collection).
#pragma once

#include "volumes/volume.h"

struct raw_name {
    bool raw;  // ends in .raw or .raw.gz
    bool gzip; // ends in .gz
    bool has_dim;
    uint64_t dim[3]; // as in the name; UINT64_MAX where 64 bits are too few
    bool has_type;
    enum volume_type type;
    char foreign_type[16]; // a type that is named but not read (int64, float16), or ""
    enum byte_order order;
};

// Reads the last component of `path`, ignoring case. Its form is
//     [NAME sep] W x H x D [sep TYPE] [sep le or be] .raw [.gz]
// where sep is one of _ . and -. It is read from its end, because NAME may hold digits.
void raw_name_parse(const char *path, struct raw_name *out);
