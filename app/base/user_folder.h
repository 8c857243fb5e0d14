// The folders in which a person's programs keep files, by the XDG standard.
#pragma once

// The path of cubist's file `name` in the folder that the environment's `variable` names
// ("XDG_CONFIG_HOME"), or else in this folder of the home (".config"). Malloc'ed; NULL where there
// is no such folder, or no memory.
char *user_folder_path(const char *variable, const char *in_home, const char *name);
