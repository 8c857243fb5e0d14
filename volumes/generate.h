// Volumes that the program makes itself: deterministic, the same bytes on every machine.
#pragma once

#include "volumes/volume.h"

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

// Makes a volume slice by slice, for a file: see volume_write_generated. NULL for an unknown name,
// and for more than max_bytes of samples (0: what fits memory). generation_destroy takes NULL.
struct generation *generation_create(
    const char *name, const uint32_t dim[3], enum volume_type type, uint64_t max_bytes,
    struct problem *problem);
void generation_destroy(struct generation *generation);

// Fills slice z. `generation` is a void * because that is what volume_write_params.make_slice gets.
void generation_make_slice(void *generation, uint32_t z, void *samples);

// The volume that the program opens without a file: "default", 128^3, uint16, fine enough for a
// smooth picture.
bool volume_generate_default(struct volume *out, struct problem *problem);
