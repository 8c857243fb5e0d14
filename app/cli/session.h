// What a command has open: the volume, what is known of it, the device, and the volume on it.
#pragma once

#include "app/base/json.h"
#include "app/cli/options.h"
#include "compute/extraction/extraction.h"
#include "volumes/facts.h"

// Zero-initialised means nothing is open. Each step needs the ones before it.
struct session {
    const char *path; // NULL: the generated default volume
    struct volume volume;
    struct volume_facts facts;
    struct gpu gpu;
    struct atlas atlas;
    struct extraction *extraction;
    struct times times; // that `auto` goes by; all 0 where none are kept
    bool asked_for_times, has_times;
    bool no_facts;                         // the volume was not looked at beforehand
    double read_ms, device_ms, kernels_ms; // what the steps took; the atlas knows its own
};

// Reads the file (or makes the default volume where `path` is NULL) and its facts; notes on stderr
// what a person should know of how it was read.
bool session_read(
    struct session *session, const char *path, const struct options *options,
    struct problem *problem);

// Opens the device.
bool session_open(struct session *session, const struct options *options, struct problem *problem);

// Packs the volume onto the device and makes the kernels.
bool session_upload(
    struct session *session, const struct options *options, struct problem *problem);

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

// What a report begins with: "file", "dims", "type", "device", "driver".
void session_json(const struct session *session, json_t *json);

// Closes everything. Returns `fine`, but false with PROBLEM_INTERNAL where all was fine and yet a
// validation layer had something to say.
bool session_close(struct session *session, bool fine, struct problem *problem);
