// The bytes that a share's writer and its reader agree on (see share.h); not for others.
#pragma once

#include "compute/mesh/mesh_records.h"

#include <zlib.h>

#define SHARE_VERSION     2
#define SHARE_PIECE_MARK  UINT32_C(0x63656970) // "piec"
#define SHARE_END_MARK    UINT32_C(0x20646e65) // "end "
#define SHARE_NUMBER_MOST (UINT64_C(1) << (8 * RECORD_NUMBER))

// A file that was changed by a transfer as text, or cut to 7 bits, begins with other bytes.
#define SHARE_SIGNATURE                                                                            \
    "\x89"                                                                                         \
    "cubist share\r\n\x1a"
#define SHARE_SIGNATURE_SIZE 16

static inline uint64_t share_slice_edges(const struct volume *volume)
{
    return 3 * (uint64_t)volume->dim[0] * volume->dim[1];
}

// Sets PROBLEM_INPUT: the file `path` is refused because of `why`.
bool share_refuse(const char *path, const char *why, struct problem *problem);
