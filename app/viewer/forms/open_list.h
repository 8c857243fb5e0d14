// What the open dialog lists: recent files, the folders and volumes of a folder.
#pragma once

#include "app/base/user_folder.h"
#include "app/viewer/forms/form.h"

#include <stddef.h>

enum open_kind {
    OPEN_FILE,   // value: the path of a file
    OPEN_SLICES, // value: the path of a folder that is a volume
    OPEN_FOLDER, // value: the path of a folder to list
};

// What the typed text means: which folder it lists, and which part of names it looks for. A text
// with "/" names another folder than `folder`; "~/" is the home folder. `looks_for` points into
// `text`. False where the path is too long.
bool open_list_where(
    const char *text, const char *folder, char *lists, size_t size, const char **looks_for);

// Replaces the form's rows: of the `recent` files (NULL: none) and the folder `lists`, those whose
// name contains `looks_for`, ignoring case. The first row whose name begins with it is selected.
// Hidden files are left out unless `looks_for` begins with a dot. False where the folder cannot be
// read: a note says why.
bool open_list_fill(
    struct form *form, const char *lists, const char *looks_for, const struct recent *recent);

// The text that the selected row stands for: a name in the folder `lists` follows the folder that
// was typed, another row is a whole path. False: no row is selected, or it has bytes that a text
// cannot hold.
bool open_list_complete(const struct form *form, const char *lists, char *out, size_t size);

// The folder above.
void open_list_parent(const char *folder, char *out, size_t size);
