// The input of extract by several ranks, and of --resume.
#pragma once

#include "app/cli/session.h"
#include "app/extract/share_folder.h"

// Collective. Opens file and device, and fills `input`, of which only the path is set, but for the
// isovalue. Errors as of session_load.
bool extract_input_open(
    struct session *session, const struct options *options, struct folder_input *input,
    struct problem *problem);
