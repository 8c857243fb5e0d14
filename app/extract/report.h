// The report of extract.
#pragma once

#include "app/extract/jobs.h"

// What the report says of a rank.
struct rank_report {
    char host[64], device[256], driver[256];
    uint64_t layers, bytes_read, peak_bytes; // peak_bytes: of the host's memory
    double extract_ms, write_ms;
};

struct extract_report {
    const struct extract_jobs *jobs;
    const struct mesh_format *format; // NULL: no mesh is written
    struct layers wanted;             // all layers, or those of --share
    // If there is a folder:
    uint64_t layers_found, layers_made;
    uint64_t shares_found, shares_made, shares_damaged;
    struct rank_report *ranks; // all ranks in order, from report_gather; the caller frees it
};

// Collective. Sets report->ranks to what each rank has done. Warns where ranks differ in devices.
bool report_gather(struct extract_report *report, struct problem *problem);

// Collective. Prints the reports of `count` contours, as text or as one object of JSON, if this is
// asked for; the first rank does. `options`: the command line, whose -o names the files of all.
bool report_print(
    const struct extract_report *const *list, uint32_t count, const struct options *options,
    struct problem *problem);
