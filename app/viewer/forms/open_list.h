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

// Splits the typed text into the folder to list and the part of a name to look for. A text with "/"
// names another folder than `folder`; "~/" is the home folder. `looks_for` points into `text`.
// False: the path is too long.
bool open_list_where(
    const char *text, const char *folder, char *lists, size_t size, const char **looks_for);

// Replaces the form's rows by the `recent` files (NULL: none) and the entries of the folder `lists`
// whose name contains `looks_for`, ignoring case. Selects the first row whose name begins with
// `looks_for`. Leaves out hidden files unless `looks_for` begins with a dot. False: the folder
// cannot be read, and a note says why.
bool open_list_fill(
    struct form *form, const char *lists, const char *looks_for, const struct recent *recent);

// Sets `out` to the text for the selected row. For an entry of the folder `lists` this is the typed
// folder and the name, for any other row a full path. False: no row is selected, or it has bytes
// that a text cannot hold.
bool open_list_complete(const struct form *form, const char *lists, char *out, size_t size);

// Sets `out` to the folder above `folder`.
void open_list_parent(const char *folder, char *out, size_t size);
