// What a command has open: the volume, its facts, the device, and the volume's parts on the device.
#pragma once

#include "app/base/fingerprint.h"
#include "app/base/json.h"
#include "app/base/progress.h"
#include "app/cli/options.h"
#include "compute/extraction/parts.h"
#include "volumes/facts.h"

// Zero-initialised means that nothing is open. Each step needs the steps before it.
struct session {
    bool draws;           // set it first: the device must be able to draw
    const char *path;     // NULL: the generated default volume
    struct volume volume; // without samples if they are read from `file`
    struct volume_file file;
    struct contents contents; // what the file holds
    uint64_t level_bytes;     // see volume_params
    struct volume_facts facts;
    struct cubes cubes;             // only for commands that draw
    struct slice_range *ranges;     // of each slice; NULL: not known
    struct files_fingerprint files; // set by session_load; `spread` only with several ranks
    uint32_t middle;                // with several ranks: the checksum of the slice in the middle
    uint64_t facts_bytes; // bytes of samples that this rank read for facts, cubes and ranges
    struct gpu gpu;
    struct parts *parts;
    // Whether reports describe the parts: with --memory-budget, and if the volume is divided
    // because the host or the device has too little memory.
    bool reports_parts;
    const struct atlas_source *source; // what reads the file in parts; NULL: file_source
    const char *done;   // for a note, such as "extracted", if the volume was read whole; else NULL
    struct times times; // used by `auto`; all 0: there are none
    bool asked_for_times, has_times;
    bool no_facts;             // the facts are unknown, because the volume was not read beforehand
    double read_ms, device_ms; // the times of the steps
};

// Reads the file (or makes the default volume where `path` is NULL) and finds its facts, and its
// cubes if session->draws. Prints notes on stderr about how it was read.
bool session_read(
    struct session *session, const char *path, const struct options *options,
    struct problem *problem);

// Opens the device and limits it to --memory-budget. Collective, see ranks.h.
bool session_open(struct session *session, const struct options *options, struct problem *problem);

// Replaces session_read for a command that opens no device. With more than one rank each reads only
// its own slices, session->volume has no samples, and all ranks have the facts. Collective.
bool session_read_facts(
    struct session *session, const char *path, const struct options *options,
    struct problem *problem);

// Call it instead of session_read if the volume may be read part by part. Opens the file and the
// device. Parts are requested by --memory-budget, --share, --resume, or more than one rank. Without
// a request they are used if the volume does not fit into host memory; a note says that the volume
// is `done` ("extracted") part by part. With more than one rank: PROBLEM_INPUT if the ranks have
// opened different volumes, see volume_ranks_same.
bool session_load(
    struct session *session, const char *path, const struct options *options, const char *done,
    struct problem *problem);

// Collective. Call it after session_load. Finds the facts if the isovalue is not a number, and the
// cubes for a picture, unless they are known. The ranks share the slices and read each as often as
// volume_file_facts does. First checks that the parts fit the device. session_parts calls it.
bool session_learn_facts(
    struct session *session, const struct options *options, const struct parts_params *params,
    struct problem *problem);

// Returns how the options divide the volume, or its share, for a command that needs each part once.
struct parts_params
session_parts_params(const struct session *session, const struct options *options);

// Opens the parts. First checks the memory: PROBLEM_DEVICE_MEMORY, with need and budget, where
// --memory-budget minus what the device already holds is too little. Then reads from the file what
// --iso or drawing needs, and prints the plan on stderr with --verbose. Ignores the volume, source
// and ranges in `params`.
bool session_parts(
    struct session *session, const struct options *options, const struct parts_params *params,
    struct problem *problem);

// The callback of session_each: takes a part of a surface. On false the problem is set.
typedef bool
session_part(void *user, struct extract *extract, struct part *part, struct problem *problem);

// Makes a surface, and calls `each` for each of its parts, from bottom to top. `each` may be NULL.
// Shows progress, labelled `doing`. On success *totals is set.
bool session_each(
    struct session *session, const struct query *query, const char *doing, session_part *each,
    void *user, struct extract_totals *totals, struct problem *problem);

// For commands that time the steps of a whole volume: opens its only part, loads it to the device,
// and frees the samples in host memory. The session owns *out. PROBLEM_DEVICE_MEMORY: the
// volume is too large.
bool session_whole(
    struct session *session, const struct options *options, struct extraction **out,
    struct extract_totals *totals, struct problem *problem);

// Sets *out to the method; `method` NULL: to the default one. PROBLEM_UNSUPPORTED: the device
// cannot run it.
bool session_method(
    struct session *session, const struct method *method, const struct method **out,
    struct problem *problem);

// Returns the isovalue as a number for this volume. Warns on stderr if the surface is known to be
// empty. Without facts the isovalue must be a number.
double session_iso(const struct session *session, const struct isovalue *isovalue);

// Call it after a failure at contour `which` of `count`, numbered from 0. If the device has too
// little memory and there are several contours, adds the isovalue to the problem. Returns false.
bool session_contour_failed(double iso, uint32_t which, uint32_t count, struct problem *problem);

// If there are no facts: warns that the surface turned out to be empty.
void session_warn_if_empty(const struct session *session, uint64_t triangles, double iso);

// Adds the first members of a report: "file", "dims", "type", "device", "driver".
void session_json(const struct session *session, json_t *json);

// Adds the member "slabs" of a report, which describes the parts. It is null if the session has no
// parts or session->reports_parts is false.
void session_parts_json(
    const struct session *session, const struct extract_totals *totals, json_t *json);
void session_parts_text(
    const struct session *session, const struct extract_totals *totals, FILE *file);

// Closes everything. Returns `fine`, but false with PROBLEM_INTERNAL if `fine` is true and a
// validation layer printed messages.
bool session_close(struct session *session, bool fine, struct problem *problem);
