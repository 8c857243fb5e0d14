// What a command has open: the volume, what is known of it, the device, and the volume's parts
// there.
#pragma once

#include "app/base/json.h"
#include "app/base/progress.h"
#include "app/cli/options.h"
#include "compute/extraction/parts.h"
#include "volumes/facts.h"

// Zero-initialised means nothing is open. Each step needs the ones before it.
struct session {
    const char *path;     // NULL: the generated default volume
    struct volume volume; // without samples where they are read from `file`
    struct volume_file file;
    struct volume_facts facts;
    struct gpu gpu;
    struct parts *parts;
    // Reports tell of the parts: with --memory-budget, and where the volume is cut because
    // the host or the device has too little memory for all of it.
    bool reports_parts;
    struct times times; // that `auto` goes by; all 0 where none are kept
    bool asked_for_times, has_times;
    bool no_facts;             // the volume was not looked at beforehand
    double read_ms, device_ms; // what the steps took
};

// Reads the file (or makes the default volume where `path` is NULL) and its facts; notes on stderr
// what a person should know of how it was read.
bool session_read(
    struct session *session, const char *path, const struct options *options,
    struct problem *problem);

// Opens the device, and holds it to --memory-budget.
bool session_open(struct session *session, const struct options *options, struct problem *problem);

// In place of session_read: with --memory-budget, and where the host's memory is too small for the
// volume, opens the file to be read part by part. Opens the device, too. A note says that the work
// is `done` ("extracted") part by part where that was not asked for. What can only be read whole is
// read whole with --memory-budget, and a note says so; else it is refused.
bool session_load(
    struct session *session, const char *path, const struct options *options, const char *done,
    struct problem *problem);

// How the volume is to be cut: by what the options say, each part needed once.
struct parts_params
session_parts_params(const struct session *session, const struct options *options);

// Opens the parts. Before anything is read: PROBLEM_DEVICE_MEMORY with need and budget where
// --memory-budget, less what the device holds already, is too little. Then reads what --iso needs
// to know of a file; the plan on stderr with --verbose. What `params` says of the volume, its
// source and its ranges is of no account.
bool session_parts(
    struct session *session, const struct options *options, const struct parts_params *params,
    struct problem *problem);

// Pulls the next part of an extraction, counting up for `progress`. *more is false where all have
// come.
bool session_pull(
    struct extract *extract, const struct progress *progress, struct part *part, bool *more,
    struct problem *problem);

// For commands that time or check the steps of a whole volume: opens its one part, has it on the
// device, and gives the samples in host memory up if `forget`. *out and *atlas are the session's.
// PROBLEM_DEVICE_MEMORY where it is too large.
bool session_whole(
    struct session *session, const struct options *options, bool forget, struct extraction **out,
    struct extract_totals *totals, struct problem *problem);

// Frees the samples in host memory; size, spacing and the rest of `volume` stay.
void session_forget_samples(struct session *session);

// The method, or the default one where it is NULL, if the device can run it; otherwise
// PROBLEM_UNSUPPORTED.
bool session_method(
    struct session *session, const struct method *method, const struct method **out,
    struct problem *problem);

// The isovalue's number in this volume; warns on stderr where the surface is known to be empty.
// Without facts only of an isovalue that is a number.
double session_iso(const struct session *session, const struct isovalue *isovalue);

// Without facts nothing was known before: warns of a surface that turned out to be empty.
void session_warn_if_empty(const struct session *session, uint64_t triangles, double iso);

// What a report begins with: "file", "dims", "type", "device", "driver".
void session_json(const struct session *session, json_t *json);

// "slabs" of a report: null where session->reports_parts is not set.
void session_parts_json(
    const struct session *session, const struct extract_totals *totals, json_t *json);
void session_parts_text(
    const struct session *session, const struct extract_totals *totals, FILE *file);

// Closes everything. Returns `fine`, but false with PROBLEM_INTERNAL where all was fine and yet a
// validation layer had something to say.
bool session_close(struct session *session, bool fine, struct problem *problem);
