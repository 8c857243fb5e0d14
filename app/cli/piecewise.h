// A surface of a volume that need not fit into memory: read from its file and worked on slab by
// slab.
#pragma once

#include "app/base/json.h"
#include "app/cli/session.h"
#include "compute/extraction/slabs.h"
#include "volumes/formats/volume_file.h"

// Zero-initialised means nothing is open.
struct piecewise {
    bool stays;              // set before the rest: slabs stay on the device, for several runs
    bool chosen;             // else the session has read the volume, and the device has room for it
    struct volume_file file; // closed where the samples are in memory: session->volume has them
    struct atlas_source source;
    struct slabs_plan plan;
    struct slabs *slabs;
    struct slabs_step step;
    struct slabs_result found;
    double ms; // that the run took
};

// Reads the volume, or opens its file to be read slab by slab: with --memory-budget, and where the
// host's or the device's memory is too small for it at once; a note then says that it is `done` so
// ("extracted"). Opens the device. What can only be read whole is read whole with --memory-budget,
// and a note says so; else it is refused.
bool piecewise_choose(
    struct piecewise *piecewise, struct session *session, const char *path,
    const struct options *options, const char *done, struct problem *problem);

// Before anything is read: PROBLEM_DEVICE_MEMORY with need and budget where --memory-budget, less
// what the device holds already, is too little. Then reads what --iso needs to know; the plan on
// stderr with
// --verbose.
bool piecewise_begin(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    struct problem *problem);

// Hands the surface over to the sink, whose `progress` is of no account: `label` counts up.
// piecewise_run is the last walk: it gives the slabs' memory back, and warns of an empty surface.
bool piecewise_walk(
    struct piecewise *piecewise, const struct session *session, const char *label,
    const struct slabs_sink *sink, struct problem *problem);
bool piecewise_run(
    struct piecewise *piecewise, const struct session *session, const char *label,
    const struct slabs_sink *sink, struct problem *problem);

void piecewise_close(struct piecewise *piecewise);

// What the slabs of a session are made with, but for where the samples come from.
struct slabs_params piecewise_params(const struct session *session, const struct options *options);

// The slices of an open file, which must outlive it; reading ends with interrupted.
struct atlas_source piecewise_source(struct volume_file *file);

// Layers that a slab may have so that the device is never busy with one for long; 0: any number.
uint32_t piecewise_layers(const struct gpu *gpu, const struct volume *volume);

// "slabs" of a report; `piecewise` NULL: null.
void piecewise_json(const struct piecewise *piecewise, json_t *json);
void piecewise_text(const struct piecewise *piecewise, FILE *file);
