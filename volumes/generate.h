// Volumes that the program makes itself: deterministic, the same bytes on every machine.
#pragma once

#include "volumes/formats/write.h"

struct generator {
    const char *name;    // "sphere", "torus", "gyroid", "marschner-lobb", "noise", "default"
    const char *summary; // one line for people
};

// All generators, ended by a row with a NULL name.
extern const struct generator generators[];

// Fills a new volume. Values are mapped to a good share of the type's range (integers) or to 0..1
// (floats). PROBLEM_USAGE for an unknown name; the message lists the known ones.
bool volume_generate(
    const char *name, const uint32_t dim[3], enum volume_type type, struct volume *out,
    struct problem *problem);

// Writes the same volume as a file, slice by slice. Needs memory for one slice, whatever the dims.
// `params` says how, but for its make_slice. PROBLEM_INTERRUPTED, PROBLEM_OUTPUT.
bool volume_generate_file(
    const char *name, const uint32_t dim[3], enum volume_type type,
    const struct volume_format *format, const char *path, const struct volume_write_params *params,
    struct problem *problem);

// The volume that the program opens without a file: "default", 128^3, uint16, fine enough for a
// smooth picture.
bool volume_generate_default(struct volume *out, struct problem *problem);
