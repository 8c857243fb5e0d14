// The samples that a header describes: the one way from such a description to a volume, for every
// format with a header. Sizes are exact: 64-bit products, checked against the bytes that are there
// before memory is asked for; fewer bytes than described is an error, more is a warning.
#pragma once

#include "volumes/sidecar.h"
#include "volumes/volume.h"

enum payload_encoding {
    PAYLOAD_RAW,
    PAYLOAD_DEFLATE, // zlib or gzip, told apart by their start
    PAYLOAD_TEXT,    // decimal numbers between blanks or commas
    PAYLOAD_HEX,     // two hex digits per byte, blanks anywhere between bytes
};

// Zero means default; dim, type and, for samples of several bytes that are no text, order are due.
struct payload {
    uint64_t dim[3];       // as read from the header: checked here (size_check)
    enum volume_type type; // of a sample in the file
    // Samples are integers of 64 bits, signed for VOLUME_INT32 and unsigned for VOLUME_UINT32 as
    // `type`: each must fit into 32 bits, or reading fails and says so.
    bool wide;
    enum byte_order order;
    enum payload_encoding encoding;

    // The files that hold the samples, in order, each an equal share of the slices (or of the rows
    // of one slice); NULL: the file with the header itself.
    const struct sidecar_list *files;
    // Where the samples begin in each file:
    uint64_t offset;    // bytes to skip
    uint64_t length;    // bytes of the encoded samples; zero: to the end of the file
    bool at_end;        // raw only: the samples are the last bytes of the file; `offset` is unused
    uint64_t line_skip; // after that, lines to skip
    uint64_t byte_skip; // after that and decoding (raw and deflate), bytes to skip

    // The file holds so many volumes one after the other (zero: one); the first is read.
    uint64_t frames;
    // Unless slope is 0, or it is 1 with an intercept of 0, samples become float32:
    // slope * stored + intercept.
    double slope, intercept;
};

// Reads the samples into a new volume with spacing 1 and no rotation (then see affine.h);
// params->spacing is not applied here, volume_read does that. `header` is the open file with the
// header; its position is changed. On false `out` is empty.
bool payload_read(
    struct source *header, const struct payload *payload, const struct volume_params *params,
    struct volume *out, struct problem *problem);
