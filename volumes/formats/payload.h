// The samples that a header describes. Raw files and every format with a header are read through
// this. Sizes are 64-bit products, and they are checked against the size of the file before memory
// is allocated. Fewer bytes than described are an error, more are a warning.
#pragma once

#include "volumes/formats/samples.h"
#include "volumes/formats/sidecar.h"
#include "volumes/formats/volume_file.h"

enum payload_encoding {
    PAYLOAD_RAW,
    PAYLOAD_DEFLATE, // zlib or gzip; the first bytes say which
    PAYLOAD_TEXT,    // decimal numbers between blanks, line ends or commas
    PAYLOAD_HEX,     // two hex digits per byte, blanks and line ends anywhere
    PAYLOAD_RUNS, // uint8: each slice is a number of bytes in text, " X", and runs in these bytes
};

// Zero means default. `dim` and `format` must be given.
struct payload {
    uint64_t dim[3];             // as read from the header; size_check checks it here
    struct sample_format format; // text ignores `order`
    enum payload_encoding encoding;

    // The files that hold the samples, in order. Each holds an equal share of them, for instance a
    // slice. payload_open empties the list. NULL: the file with the header.
    struct sidecar_list *files;
    // Where the samples begin in each file:
    uint64_t offset; // bytes to skip
    uint64_t length; // bytes of the encoded samples; zero: to the end of the file. A deflate stream
                     // that is longer is read to its end, with a warning
    bool at_end; // raw and deflate: the samples are the last decoded bytes; `byte_skip` is unused
    uint64_t line_skip; // lines to skip after the offset
    uint64_t byte_skip; // decoded bytes to skip after that (raw and deflate)

    // A raw file without a header. Messages name --dims, --type and --offset (byte_skip). More
    // inflated bytes than needed are PROBLEM_INPUT, not a warning.
    bool headless;

    // The whole file is gzip: `offset` counts the bytes inside. Set by payload_open, from the
    // source (see source_unpack).
    bool packed;

    bool bare;             // deflate has neither head nor sum
    struct source_sum sum; // of the samples, if they are in the file with the header

    // The format may have something else behind the samples: it is ignored without a warning.
    bool tail;

    // How many volumes the file, or all files together, hold one after the other (zero: one): the
    // time steps of each channel, channel by channel. params->pick selects one.
    uint64_t frames;
    uint64_t channels;      // divides `frames`; zero: one
    const char *frames_how; // ends "has 2 volumes", if nothing is picked; NULL: the reader warns
};

// Fills all of `out` that a reader must fill (see readers.h): the volume, with spacing 1 and no
// rotation (affine.h then changes both), and the reader of its samples. Checks all that can be
// checked before samples are read. Keeps no pointer that is passed: `header`, the open file with
// the header, may be closed. Its position is changed.
//
// Raw samples can be read in any order at the same cost. Encoded samples are decoded from the end
// of the last range, or from the start of their file. Memory: some MiB, whatever the payload's
// size.
bool payload_open(
    struct source *header, const struct payload *payload, const struct volume_params *params,
    struct volume_file *out, struct problem *problem);
