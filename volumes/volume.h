// A scalar volume in host memory: samples on a regular grid, x fastest, then y, then z.
#pragma once

#include "volumes/base/problem.h"
#include "volumes/base/progress.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum volume_type {
    VOLUME_UINT8,
    VOLUME_INT8,
    VOLUME_UINT16,
    VOLUME_INT16,
    VOLUME_UINT32,
    VOLUME_INT32,
    VOLUME_FLOAT32,
    VOLUME_FLOAT64,
    VOLUME_TYPES,                  // the types above can be asked for, and written
    VOLUME_FLOAT16 = VOLUME_TYPES, // only in files whose header says so
};

// The meaning of the world's axes, in which spacing, origin and direction are given. Readers set
// LPS or UNSAID, never RAS: a file in RAS or LAS (NIfTI, some NRRD) is converted to LPS while it is
// read, so that volumes of different formats lie in one world (see affine.h). A file that states no
// patient's frame is used as it is. Writers can write either frame.
enum volume_frame {
    VOLUME_FRAME_UNSAID,
    VOLUME_FRAME_LPS, // x to the patient's left, y to the back, z to the head
    VOLUME_FRAME_RAS, // x to the right, y to the front, z to the head
};

enum byte_order { BYTE_ORDER_UNSAID, BYTE_ORDER_LITTLE, BYTE_ORDER_BIG };

// Zero-initialised means empty. Owns `samples`; release with volume_destroy.
struct volume {
    uint32_t dim[3];            // samples along x, y, z; each at least 2
    enum volume_type type;      // type of `samples`; never a FLOAT64 or FLOAT16, see file_type
    enum volume_type file_type; // type in the file; other floats become float32 while they are read
    double spacing[3];          // distance between samples, > 0
    double origin[3];           // position of sample (0, 0, 0)
    double direction[9];        // unit column vectors of the x, y, z axes, row-major; identity by
                                // default
    enum volume_frame frame;    // UNSAID if the file states none; written to meshes and NRRD
    void *samples;              // dim[0] * dim[1] * dim[2] samples, host byte order
    bool labels;                // the file says that samples name regions
    bool density;               // the file is a map of microscopy, crystallography or molecules
    bool orbital;               // the file is of chemistry: if it has both signs, it shows both
    bool type_inferred;         // the type was not stated; it was inferred from the file's size
};

// Which volume is read where a file holds several. Zero: the first.
struct pick {
    const char *array; // name; NULL: the one that the file prefers
    // 1 + the number of what is asked for, which counts from 0; 0: nothing is asked for.
    uint32_t time, channel, level;
};

// What becomes of slices that are missing in a series. By default the series is refused.
enum gaps { GAPS_REFUSED, GAPS_BLANK, GAPS_RESAMPLE };

// What the caller knows about a file. Zero means unknown: it is taken from the name or the file.
struct volume_params {
    uint32_t dim[3]; // all zero: from the name
    bool has_type;   // `type` is given (VOLUME_UINT8 is 0)
    enum volume_type type;
    enum byte_order order; // unsaid: little-endian
    uint64_t offset;       // bytes to skip at the start of a raw file (after decompression)
    double spacing[3];     // zero: 1, 1, 1
    uint32_t atlas[2];     // tiles across and down: the file is one image that tiles the slices
    uint32_t slices;       // slices in the atlas; zero: all its tiles
    struct pick pick;      // which volume to read where a file holds several
    enum gaps gaps;
    const char *axis_index; // an axis whose samples are not equally spaced; they count as 0, 1, 2
    // Where a file has levels and `pick` selects none: the finest is read whose samples in memory
    // take at most so many bytes, and a note says which. 0: the finest of all.
    uint64_t level_bytes;
    // Bytes of standard input that may be stored, and bytes of any input that may be read or
    // inflated only to be skipped. More is PROBLEM_LIMIT. 0: half of the free disk or memory.
    uint64_t max_input;
    uint64_t max_bytes; // refuse larger volumes (PROBLEM_LIMIT); zero: three quarters of RAM
    const struct progress *progress; // may be NULL
    // All files that are read are added to these, once each. NULL: they are not noted.
    struct source_files *files;
    // For volume_read: what the file holds is put here, for contents_free. NULL: it is not noted.
    struct contents *contents;
    // For volume_read and volume_file_open: gets the lines that were printed about the file. The
    // caller frees them. NULL: they are only printed.
    char **notes;
    // For volume_file_open: samples that a raw file or a header describes need not be there yet.
    // The file can then be described, but not be read.
    bool describe;
    // A person named this very file. Then the data files that its header names may lie anywhere;
    // otherwise only beside the header or below.
    bool named;
};

// "uint8" ... "float64"; the aliases u8 ... f64 are read too.
const char *volume_type_name(enum volume_type type);
bool volume_type_parse(const char *text, enum volume_type *out);
size_t volume_type_size(enum volume_type type);

// The type that samples of a file's type have in memory: float64 and float16 become float32.
enum volume_type volume_type_in_memory(enum volume_type type);

// The least and the greatest value of each type; infinite for floats.
extern const struct volume_limits {
    double least, most;
} volume_limits[VOLUME_TYPES];

// The value of a float16 with these bits.
static inline double volume_half(uint16_t half)
{
    const uint32_t infinite = (half & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
    const uint32_t bits = (uint32_t)(half & 0x7fff) << 13 | infinite;
    float value;
    memcpy(&value, &bits, sizeof value);
    value *= infinite ? 1 : 0x1p112f; // the exponents of float32 begin 112 lower
    return (double)(half & 0x8000 ? -value : value);
}

// Sample `i` of samples of a type as a double (exact for every type).
static inline double volume_type_get(enum volume_type type, const void *samples, uint64_t i)
{
    switch (type) {
    case VOLUME_UINT8:
        return ((const uint8_t *)samples)[i];
    case VOLUME_INT8:
        return ((const int8_t *)samples)[i];
    case VOLUME_UINT16:
        return ((const uint16_t *)samples)[i];
    case VOLUME_INT16:
        return ((const int16_t *)samples)[i];
    case VOLUME_UINT32:
        return ((const uint32_t *)samples)[i];
    case VOLUME_INT32:
        return ((const int32_t *)samples)[i];
    case VOLUME_FLOAT32:
        return (double)((const float *)samples)[i];
    case VOLUME_FLOAT16:
        return volume_half(((const uint16_t *)samples)[i]);
    default:
        assert(type == VOLUME_FLOAT64);
        return ((const double *)samples)[i];
    }
}

// Sets sample `i`. An integer type must have this value; float32 rounds it.
static inline void volume_type_put(enum volume_type type, void *samples, uint64_t i, double value)
{
    switch (type) {
    case VOLUME_UINT8:
        ((uint8_t *)samples)[i] = (uint8_t)value;
        break;
    case VOLUME_INT8:
        ((int8_t *)samples)[i] = (int8_t)value;
        break;
    case VOLUME_UINT16:
        ((uint16_t *)samples)[i] = (uint16_t)value;
        break;
    case VOLUME_INT16:
        ((int16_t *)samples)[i] = (int16_t)value;
        break;
    case VOLUME_UINT32:
        ((uint32_t *)samples)[i] = (uint32_t)value;
        break;
    case VOLUME_INT32:
        ((int32_t *)samples)[i] = (int32_t)value;
        break;
    case VOLUME_FLOAT32:
        ((float *)samples)[i] = (float)value;
        break;
    default:
        assert(type == VOLUME_FLOAT64);
        ((double *)samples)[i] = value;
    }
}

// Sample count and bytes of the samples in memory.
uint64_t volume_count(const struct volume *volume);
uint64_t volume_bytes(const struct volume *volume);

// The sample at (x, y, z) as a double (exact for every type).
double volume_sample(const struct volume *volume, uint32_t x, uint32_t y, uint32_t z);

// Reads a volume: any format of volumes/formats/readers.c, .raw or .raw.gz (open-scivis names or
// params), a folder of slices, or one image with params->atlas. The first bytes of the file select
// the reader; if they select none, the name does. With params->dim any file is read as raw. "-" is
// standard input, which holds a single file. On false `out` is empty.
bool volume_read(
    const char *path, const struct volume_params *params, struct volume *out,
    struct problem *problem);

// Sets every member but the samples: spacing 1, no rotation, types as in volume_create.
void volume_describe(const uint32_t dim[3], enum volume_type type, struct volume *out);

// Allocates zeroed samples, spacing 1, no rotation. VOLUME_FLOAT64 gives float32 samples and keeps
// float64 as file_type. On false (too small, overflow, out of memory) `out` is empty.
bool volume_create(
    const uint32_t dim[3], enum volume_type type, struct volume *out, struct problem *problem);

// Frees the samples and zeroes the struct. An empty volume is allowed.
void volume_destroy(struct volume *volume);
