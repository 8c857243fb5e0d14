// Layers of cells become shares, several at a time: the work of a rank. A share is a file, or it is
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

// Zero-initialised, but for what the caller sets. Release with extract_jobs_free.
struct extract_jobs {
    // Set by the caller:
    struct session *session; // if it has parts, they are those of all layers, and stay
    const struct options *options;
    const struct method *method;
    struct share_head head; // of all shares, but for their layers
    enum jobs_target target;
    const char *path;           // of the file or the folder
    bool has_middle;            // otherwise it is read
    uint32_t middle;            // the checksum of the slice in the middle
    struct mesh_writer *writer; // of JOBS_MEMORY; NULL: no mesh
    bool reports;               // of JOBS_MEMORY: whether anybody sees the facts
    struct mesh_tally tally;
    // Done so far:
    struct folder_share *made; // only those of a folder have names
    size_t count, capacity;
    uint64_t layers;
    struct measured measured; // the sums; of the facts only facts_ms
};

// Cuts the ranges of layers into shares of about `step` layers, makes those of this rank, and adds
// them to `made`. --balance layers: each rank makes as many layers as any other, one above the
// other. --balance steal: each takes the next few when it is free. All ranks pass the same ranges.
// Collective where they steal. On false, what is in the folder is whole, and there is no file.
bool extract_jobs_do(
    struct extract_jobs *jobs, const struct layers *lacks, size_t count, uint32_t step,
    struct problem *problem);

// How many layers a share of a folder shall have, for so many layers and ranks.
uint32_t extract_jobs_step(const struct volume *volume, uint64_t layers, uint32_t ranks);

void extract_jobs_free(struct extract_jobs *jobs);
