// extract by several ranks, and extract --resume: the ranks make shares in a folder, and write one
// mesh of these. With --resume the folder stays, and only the layers that it lacks are made.
// Otherwise it is a hidden one beside the mesh.
#pragma once

#include "app/extract/jobs.h"
#include "compute/mesh/shares.h"
#include "volumes/base/output_folder.h"

// What the report says of a rank.
struct rank_report {
    char host[64], device[256], driver[256];
    uint64_t layers, bytes_read, peak_bytes; // peak_bytes: of the host's memory
    double extract_ms, write_ms;
};

// Zero-initialised means that nothing is open.
struct together {
    const struct options *options;
    const struct mesh_format *format; // NULL: no mesh is written
    struct share_folder folder;
    struct output_folder hidden; // of the first rank; without --resume
    struct extract_jobs jobs;
    struct output output; // with several ranks
    struct layers wanted; // all, or those of --share
    // Of the shares that have the wanted layers:
    struct surface_counts counts;
    uint64_t layers_found, layers_made;
    uint64_t shares_found, shares_made;
    struct rank_report *ranks; // of all, in order
    double check_ms, write_ms;
};

// Whether these options are for extract_together.
bool extract_together_is(const struct options *options);

// Refuses what cannot go with it, before anything is opened: PROBLEM_USAGE.
bool extract_together_check(const struct options *options, struct problem *problem);

// Collective. Opens file and device, makes the shares, and writes the mesh if there is a format. On
// false no mesh was written. Fills `measured` but for its facts. Release `out` with
// extract_together_end, whatever the result.
bool extract_together(
    struct session *session, const char *path, const struct options *options,
    const struct mesh_format *format, struct together *out, struct measured *measured,
    struct problem *problem);

// Collective. Returns whether all ranks are fine. The hidden folder is gone afterwards.
bool extract_together_end(struct together *together, bool fine, struct problem *problem);

// Collective. Tells the first rank what all ranks have done. Warns where they have other devices.
bool extract_together_gather(
    struct together *together, const struct session *session, struct problem *problem);

// Adds what is known of it as members of the open object, or prints it as lines.
void extract_together_json(
    const struct together *together, const struct measured *measured, json_t *json);
void extract_together_text(const struct together *together, FILE *file);
