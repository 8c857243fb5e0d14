// The input of several ranks, which must be the same.
#pragma once

#include "app/cli/session.h"
#include "app/cli/share_folder.h"

// Collective. Opens file and device, and fills `input`, of which only the path is set, but for the
// isovalue. PROBLEM_INPUT where a rank's file is another than the first rank's: its size, its kind,
// or the samples in the middle. A node may have a copy of its own, or an old one.
bool extract_input_open(
    struct session *session, const struct options *options, struct folder_input *input,
    struct problem *problem);
