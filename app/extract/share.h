// extract --share: the surface of some layers, written as a share (compute/mesh/share.h).
#pragma once

#include "app/extract/surface.h"
#include "compute/mesh/share.h"

// Refuses what cannot go with --share, before anything is opened: PROBLEM_USAGE.
bool extract_share_check(const struct options *options, struct problem *problem);

// Opens file and device as session_load does. `head` gets the volume and what is known of its
// files.
bool extract_load(
    struct session *session, const char *path, const struct options *options,
    struct share_head *head, struct problem *problem);

// Adds what is known of a share as members of the open object, or prints it as lines.
void extract_share_json(
    const struct session *session, const struct options *options, const struct measured *measured,
    json_t *json);
void extract_share_text(
    const struct session *session, const struct options *options, const struct measured *measured,
    FILE *file);

// Opens file and device, extracts, and writes the share to options->output. Fills all of `out` but
// the facts. On false nothing was written.
bool extract_share(
    struct session *session, const char *path, const struct options *options, struct measured *out,
    struct problem *problem);
