// What the name of a raw file says: NAME_WxHxD_TYPE.raw, as in the open-scivis collection.
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

// Reads the last component of `path`, ignoring case, from its end (the name may hold digits): [NAME
// sep] W x H x D [sep TYPE] [sep le
// be] .raw [.gz], where sep is one of _ . -
void raw_name_parse(const char *path, struct raw_name *out);
