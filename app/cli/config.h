// The person's configuration: $XDG_CONFIG_HOME/cubist/config.json, or ~/.config/cubist/config.json
// where that variable is not set. Only the window reads it, so that scripts do not depend on it.
//
//     {
//       "keys": { "iso-up": ["]", "PageUp"], "wireframe": "Ctrl+W", "quit": [] },
//       "options": { "look": "clay", "background": "white", "memory-budget": 2048 },
//       "last-view": false
//     }
#pragma once

#include "app/cli/presets.h"

// Reads it. What is wrong with it is a warning that names line and member; the program goes on
// without that member. The first warning is also in presets->warning. With `keys_only` options stay
// as they are.
void config_apply(struct options *options, bool keys_only, struct presets *presets);

// The same for an open file: for tests.
void config_read(
    struct options *options, bool keys_only, const struct json_file *file, struct presets *presets);
