// The work of a rank: it makes shares, each of several layers of cells. A share is a file, or it is
// in memory and becomes a mesh at once.
#pragma once

#include "app/extract/share_folder.h"
#include "app/extract/surface.h"
#include "compute/mesh/mesh_writer.h"

// Where the shares go.
enum jobs_target {
    JOBS_COUNT,  // nowhere: they are only counted
    JOBS_MEMORY, // the only share is measured, and written as a mesh
    JOBS_FILE,   // the only share is a file
    JOBS_FOLDER, // each share is a file in a folder
};

// Zero-initialise it, except for what the caller sets. Release with extract_jobs_free.
struct extract_jobs {
    // Set by the caller:
    struct session *session; // if it has parts, they are of all layers, and are not closed
    const struct options *options;
    const struct method *method;
    struct share_head head; // of all shares, without their layers
    enum jobs_target target;
    const char *path;           // of the file or the folder
    bool has_middle;            // `middle` is set; false: read the slice for it
    uint32_t middle;            // the checksum of the slice in the middle
    struct mesh_writer *writer; // only JOBS_MEMORY; NULL: no mesh is written
    bool reports;               // only JOBS_MEMORY: a report needs the facts
    struct mesh_tally tally;
    // Done so far:
    struct folder_share *made; // the shares; only those of a folder have names
    size_t count, capacity;
    uint64_t layers;
    struct measured measured; // sums over the shares; of the facts only facts_ms
};

// Divides the ranges of layers into shares of about `step` layers, makes the shares of this rank,
// and adds them to `made`. --balance layers: each rank makes an equal number of consecutive layers.
// --balance steal: a rank takes the next share when it is free; this is collective. All ranks pass
// the same ranges. On false the shares in a folder are complete; a share that is the only file is
// not written.
bool extract_jobs_do(
    struct extract_jobs *jobs, const struct layers *lacks, size_t count, uint32_t step,
    struct problem *problem);

// Layers of a share in a folder, if `ranks` ranks make `layers` layers.
uint32_t extract_jobs_step(const struct volume *volume, uint64_t layers, uint32_t ranks);

void extract_jobs_free(struct extract_jobs *jobs);
