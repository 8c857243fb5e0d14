// Turns the samples of a file into the samples of a volume: host byte order, scaled, narrowed.
// A reader puts them in chunk by chunk, in order.
#pragma once

#include "volumes/volume.h"

// How samples are stored in a file. Zero means default. `type` must be given, and `order` for
// samples of more than one byte.
struct sample_format {
    enum volume_type type;
    // Integers of 64 bits, signed for VOLUME_INT32 and unsigned for VOLUME_UINT32 as `type`: each
    // must fit into 32 bits, or samples_put says which does not.
    bool wide;
    enum byte_order order; // BYTE_ORDER_UNSAID: little
    // Unless slope is 0, or it is 1 with an intercept of 0, samples become float32:
    // slope * stored + intercept. Both finite.
    double slope, intercept;
    // VOLUME_FLOAT32 only: 0..1 stand for 0..255. Samples become uint8, rounded and cut off there.
    bool fractions;
};

struct samples {
    const char *path; // borrowed, for messages
    struct sample_format format;
    void *to;           // room for `count` samples, of the type that samples_describe says
    uint64_t count;     // samples to come
    uint64_t first;     // number of the first of them in the file, for messages
    uint64_t done;      // samples put so far
    uint64_t overflows; // finite ones that float32 cannot hold
};

// Bytes of a sample in the file.
size_t sample_size(const struct sample_format *format);

// Whether samples are kept as they are in the file, but for their byte order.
bool sample_stays(const struct sample_format *format);

// Checks what the dims ask for in memory: size_check; `max_bytes` and problems as there.
bool samples_check(
    const char *path, const uint64_t dim[3], const struct sample_format *format, uint64_t max_bytes,
    struct problem *problem);

// The volume that they make: spacing 1, no rotation, no samples. `dim` has been checked.
void samples_describe(
    const uint64_t dim[3], const struct sample_format *format, struct volume *out);

// Takes the next `count` samples as the file has them. Changes `bytes`. PROBLEM_INPUT where 32 bits
// cannot hold a sample. Where
// sample_stays, they may stand in `to` already, at their place.
bool samples_put(struct samples *samples, void *bytes, size_t count, struct problem *problem);

// Call it after the last sample. Warns where samples became infinite. All samples have been put
// (asserted).
void samples_end(const struct samples *samples);

// Reverses the bytes of each sample of `size` bytes where `order` is not the host's.
void samples_to_host(enum byte_order order, void *bytes, size_t count, size_t size);
