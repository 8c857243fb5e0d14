// Converts the samples of a file to those of a volume: in the byte order of the host, and scaled.
// Floats of 64 bits are rounded to 32 bits, those of 16 bits become 32 bits. A reader passes the
// samples in chunks, in order.
#pragma once

#include "volumes/volume.h"

#define SAMPLE_VALUES_MOST 256
#define SAMPLE_LENGTH      UINT32_MAX

// How samples are stored in a file. Zero means default. `type` must be given, and `order` for
// samples of more than one byte.
struct sample_format {
    enum volume_type type;
    // Integers of 64 bits: signed with `type` VOLUME_INT32, unsigned with VOLUME_UINT32. Each must
    // fit into 32 bits. samples_put names the first that does not.
    bool wide;
    enum byte_order order; // BYTE_ORDER_UNSAID: little
    // Samples become float32, slope * stored + intercept, unless slope is 0, or slope is 1 and
    // intercept is 0. Both are finite.
    double slope, intercept;
    // How many values a sample has, one after the other, at most SAMPLE_VALUES_MOST (zero: one),
    // and which of them is read: an index, or SAMPLE_LENGTH for the length of the vector, as
    // float32.
    uint32_t values, value;
    // VOLUME_FLOAT32 only: 0..1 stand for 0..255. Samples become uint8, rounded and clamped.
    bool fractions;
};

struct samples {
    const char *path; // borrowed, for messages
    struct sample_format format;
    void *to;           // memory for `count` samples of the type in samples_describe
    uint64_t count;     // samples in all
    uint64_t first;     // index in the file of the first sample, for messages
    uint64_t done;      // samples put so far
    uint64_t overflows; // finite samples that float32 cannot hold
};

#define BYTE_ORDER_HOST                                                                            \
    (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE)

// Formats that have their own words for sample types.
enum sample_words {
    WORDS_NRRD,
    WORDS_METAIMAGE,
    WORDS_INVIWO,
    WORDS_VTI,
    WORDS_VTK_LEGACY,
    WORDS_NUMPY, // "u1", without the byte order
    WORDS_ZARR,
};

// Sets `type` and `wide` by a word of a format. Case matters only for VTI. False: no such word.
bool sample_format_named(enum sample_words words, const char *word, struct sample_format *out);

// Stores a number in the file's type and the host's byte order. An integer type must have it.
void sample_store(const struct sample_format *format, double value, void *out);

// The unsigned integer in `size` bytes, at most 8.
uint64_t sample_bits(const unsigned char *bytes, size_t size, bool big);

// The float32 or float64 in `size` bytes, 4 or 8.
double sample_real(const unsigned char *bytes, size_t size, bool big);

// Bytes in the file: of a value, and of a sample with all its values.
size_t sample_value_size(const struct sample_format *format);
size_t sample_size(const struct sample_format *format);

// Whether samples are the same in the file and in memory, except for their byte order.
bool sample_stays(const struct sample_format *format);

// Describes the volume that samples of this format make: spacing 1, no rotation, no samples. False
// as from size_check, which gets the dims and `max_bytes`.
bool samples_describe(
    const char *path, const uint64_t dim[3], const struct sample_format *format, uint64_t max_bytes,
    struct volume *out, struct problem *problem);

// Converts the next `count` samples from `bytes`, in the form of the file. Overwrites `bytes`. If
// sample_stays is true, `bytes` may be where the samples belong in `to`. PROBLEM_INPUT where 32
// bits cannot hold a sample.
bool samples_put(struct samples *samples, void *bytes, size_t count, struct problem *problem);

// Call this after the last sample; that all samples have come is asserted. Warns where samples
// became infinite.
void samples_end(const struct samples *samples);

// Reverses the bytes of each sample of `size` bytes where `order` is not the host's.
void samples_to_host(enum byte_order order, void *bytes, size_t count, size_t size);
