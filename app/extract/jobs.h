// Layers of cells become shares in a folder, several at a time: the work of a rank.
#pragma once

#include "app/extract/share_folder.h"
#include "app/extract/surface.h"

// Zero-initialised, but for what the caller sets. Release with extract_jobs_free.
struct extract_jobs {
    // Set by the caller:
    struct session *session;
    const struct options *options;
    const struct method *method;
    struct share_head head; // of all shares, but for their layers
    uint32_t middle;        // the checksum of the slice in the middle
    const char *folder;     // NULL: the surface is only counted
    // Done so far:
    struct folder_share *made; // also without a folder: then their names mean nothing
    size_t count, room;
    uint64_t layers;
    struct measured measured; // the sums; no facts
};

// Cuts the ranges of layers into shares of about `step` layers, makes those of this rank, and adds
// them to `made`. --balance layers: each rank makes as many layers as any other, one above the
// other. --balance steal: each takes the next few when it is free. All ranks pass the same ranges.
// Collective where they steal. On false, what is in the folder is whole.
bool extract_jobs_do(
    struct extract_jobs *jobs, const struct layers *lacks, size_t count, uint32_t step,
    struct problem *problem);

// How many layers a share shall have.
uint32_t extract_jobs_step(const struct volume *volume, const struct layers *lacks, size_t count);

// The same for so many layers and ranks.
uint32_t extract_jobs_step_of(const struct volume *volume, uint64_t layers, uint32_t ranks);

void extract_jobs_free(struct extract_jobs *jobs);
