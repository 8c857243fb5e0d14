// A surface of a volume that need not fit into memory: read from its file and extracted slab by
// slab, measured and written while it comes.
#pragma once

#include "app/measure.h"
#include "compute/slabs.h"

// Zero-initialised means nothing is open.
struct piecewise {
    struct volume_file file; // closed where the samples are in memory: session->volume has them
    struct slabs_plan plan;
    struct slabs_result slabs;
    struct measured measured; // in_pieces
    double write_ms;          // putting the mesh's file together
};

// Opens the file in place of session_read: session->volume is then without samples. What can only
// be read whole is read whole with --memory-budget, and a note says so; else it is refused.
bool piecewise_open(
    struct piecewise *piecewise, struct session *session, const char *path,
    const struct options *options, struct problem *problem);

// Reads what --iso needs to know, extracts, and writes to --output as `format` where there is one.
// Within --memory-budget: PROBLEM_DEVICE with need and budget, before anything is read, where that
// is too little; the plan on stderr with --verbose. Opens the device where it is not open.
bool piecewise_run(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    const struct mesh_format *format, struct problem *problem);

// Whether the device's memory is too small for the volume of the session at once, but not slab by
// slab. The device is open.
bool piecewise_needed(struct session *session, const struct options *options);

void piecewise_close(struct piecewise *piecewise);

// "slabs" of a report; `piecewise` NULL: null.
void piecewise_json(const struct piecewise *piecewise, json_t *json);
void piecewise_text(const struct piecewise *piecewise, FILE *file);
