// The samples that a header describes. Every format with a header, and raw files, are read through
// this. Sizes are 64-bit products and are checked against the file's bytes before memory is
// allocated. Fewer bytes than described are an error, more are a warning.
#pragma once

#include "volumes/formats/samples.h"
#include "volumes/formats/sidecar.h"
#include "volumes/formats/volume_file.h"

enum payload_encoding {
    PAYLOAD_RAW,
    PAYLOAD_DEFLATE, // zlib or gzip, told apart by their start
    PAYLOAD_TEXT,    // decimal numbers between blanks, line ends or commas
    PAYLOAD_HEX,     // two hex digits per byte, blanks and line ends anywhere
};

// Zero means default. `dim` and `format` must be given.
struct payload {
    uint64_t dim[3];             // as read from the header: checked here (size_check)
    struct sample_format format; // order counts for raw, deflate and hex
    enum payload_encoding encoding;

    // The files that hold the samples, in order. Each holds an equal share of them, for instance a
    // slice. NULL: the file with the header.
    const struct sidecar_list *files;
    // Where the samples begin in each file:
    uint64_t offset; // bytes to skip
    uint64_t length; // bytes of the encoded samples; zero: to the end of the file. Deflate: where
                     // the stream is longer it counts, with a warning
    bool at_end;     // raw and deflate: they are the last bytes, decoded; `byte_skip` is unused
    uint64_t line_skip; // lines to skip behind the offset
    uint64_t byte_skip; // bytes to skip behind that, of what is decoded (raw and deflate)

    // A raw file without a header: messages speak of --dims, --type and --offset (byte_skip), and
    // more bytes, inflated, are no warning but PROBLEM_INPUT.
    bool headless;

    // The file, or the files together, hold so many volumes one after the other (zero: one); the
    // first is read.
    uint64_t frames;
};

#define PAYLOAD_FILES_MOST 100000

// Fills all of `out` that a reader has to (see readers.h): the volume with spacing 1 and no
// rotation (then see affine.h), and the way to its samples. Checks all that can be checked before
// samples are read. Keeps nothing of what is passed: `header`, the open file with the header, may
// be closed; its position is changed.
//
// Raw samples are read anywhere at once; encoded ones from where the last range ended, or else by
// decoding from the start of their file. Memory: some MiB, whatever the payload's size.
bool payload_open(
    struct source *header, const struct payload *payload, const struct volume_params *params,
    struct volume_file *out, struct problem *problem);
