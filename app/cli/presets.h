// Options from a session and from the user's configuration. The command line overrides the session,
// and the session overrides the configuration.
#pragma once

#include "app/base/session_file.h"
#include "app/cli/options.h"
#include "app/viewer/base/viewer_params.h"

struct option_row;

// Initialise the struct to zero, with an empty array in `texts`.
struct presets {
    struct session_file session;
    struct problem missing; // why the session's volume was not found
    char warning[1000];     // about the configuration, for the window; "": none
    json_t *texts;          // values of options that `struct options` points to
};

// Sets the options that the open session has and the command line has not. `with_volume`: also
// those for reading the volume. PROBLEM_INPUT: an option of the session is wrong.
bool presets_read_session(
    struct options *options, bool with_volume, struct presets *presets, struct problem *problem);

// Call it when all options are read. Sets the number of the view's contours, and rays for one that
// shows with an opacity below 1. PROBLEM_USAGE: lists of colours and opacities do not fit the
// number of isovalues, or --hide or --clip name a contour that is not there.
bool presets_check_contours(struct options *options, struct problem *problem);

// Fills `out` with what a session states. The viewer calls it. `line` is a struct options of the
// command line alone; if `with_line`, it overrides the session. `out` is valid as long as
// line->texts.
bool presets_read_stated(
    const void *line, const struct session_file *session, bool with_line, struct stated *out,
    struct problem *problem);

// Reads the session that --to of `animate` names. The last frame gets its camera, and its isovalue
// unless the command line has --iso.
bool presets_read_end(struct options *options, struct problem *problem);

// ---- The user's configuration: $XDG_CONFIG_HOME/cubist/config.json, or
// ~/.config/cubist/config.json where that variable is not set. Only the window reads it, so that
// scripts do not depend on it.
//
//     {
//       "keys": { "iso-up": ["]", "Home"], "wireframe": "Ctrl+W", "quit": [] },
//       "options": { "look": "clay", "background": "white", "memory-budget": 2048 },
//       "last-view": false
//     }

// Reads the configuration. Each error is a warning that names line and member; the program goes on
// without this member. The first warning is also stored in presets->warning. `keys_only`: reads the
// keys but not the options.
void config_apply(struct options *options, bool keys_only, struct presets *presets);

// Reads an open configuration file as config_apply does. Tests call it, too.
void config_read(
    struct options *options, bool keys_only, const struct json_file *file, struct presets *presets);

// Frees `presets`. Call it after the last use of the options, which point into it.
void presets_end(struct presets *presets);
