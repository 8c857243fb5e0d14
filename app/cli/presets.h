// Options that do not come from the command line: from a session, and from the person's
// configuration. The command line goes before the session, the session before the configuration.
#pragma once

#include "app/base/session_file.h"
#include "app/cli/options.h"
#include "app/viewer/base/viewer_params.h"

struct option_row;

// `texts` is an empty array at first.
struct presets {
    struct session_file session;
    struct problem missing; // the session's volume is not there
    char warning[1000];     // about the configuration, for the window; "": none
    json_t *texts;          // values of options that `struct options` points to
};

// Sets the options that the open session holds and that are not on the command line. `with_volume`:
// also those that state how the volume is read. PROBLEM_INPUT where one is wrong.
bool presets_read_session(
    struct options *options, bool with_volume, struct presets *presets, struct problem *problem);

// What a session states, for viewer_params. `line` is a struct options: the command line alone,
// which goes before the session if `with_line`. The texts in `out` live as long as line->texts.
bool presets_read_stated(
    const void *line, const struct session_file *session, bool with_line, struct stated *out,
    struct problem *problem);

// Reads the session that --to of `animate` names: the last frame has its camera, and its isovalue
// unless --iso is on the command line.
bool presets_read_end(struct options *options, struct problem *problem);

// ---- The person's configuration: $XDG_CONFIG_HOME/cubist/config.json, or
// ~/.config/cubist/config.json where that variable is not set. Only the window reads it, so that
// scripts do not depend on it.
//
//     {
//       "keys": { "iso-up": ["]", "PageUp"], "wireframe": "Ctrl+W", "quit": [] },
//       "options": { "look": "clay", "background": "white", "memory-budget": 2048 },
//       "last-view": false
//     }

// Reads it. What is wrong with it is a warning that names line and member; the program goes on
// without that member. The first warning is also in presets->warning. With `keys_only` options stay
// as they are.
void config_apply(struct options *options, bool keys_only, struct presets *presets);

// The same for an open file: for tests.
void config_read(
    struct options *options, bool keys_only, const struct json_file *file, struct presets *presets);

// Call it when the options are not used any more.
void presets_end(struct presets *presets);
