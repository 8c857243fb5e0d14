// Options that do not come from the command line: from a session, and from the person's
// configuration. The command line goes before the session, the session before the configuration.
#pragma once

#include "app/base/session_file.h"
#include "app/cli/options.h"

struct presets {
    struct session_file session;
    json_t *texts; // values of options that `struct options` points to
};

// Opens the session of --session, or of an operand NAME.cubist.json, and sets the options that it
// holds and that are not on the command line. PROBLEM_INPUT where it cannot be used. Whether it
// returns true or false, presets_end must follow, after the options are not used any more.
bool presets_apply(struct options *options, struct presets *presets, struct problem *problem);

// Sets the options of an open session: for presets_apply, and for tests. `with_volume`: also those
// that state how the volume is read.
bool presets_read_session(
    struct options *options, bool with_volume, struct presets *presets, struct problem *problem);

void presets_end(struct presets *presets);
