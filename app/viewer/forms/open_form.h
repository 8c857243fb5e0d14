// The form that lists recent files, folders, volumes and sessions, and opens one. It also asks
// where the volume of a session is if it was not found.
#pragma once

#include "app/base/session_file.h"
#include "app/viewer/forms/form.h"

struct open_form {
    const char *open;       // path of the open file or its session, which is not listed as recent
    char folder[FORM_TEXT]; // the folder that is listed
    bool browsed;           // another folder was listed at first: do not list recent files
    bool moved;             // a row was selected after the last text was typed
};

// Lists the folder of the file `place`; NULL: the current folder. `asks`: a session whose volume
// was not found; NULL: none.
void open_form_show(
    struct form *form, struct open_form *own, const char *place, const struct session_file *asks);
void open_form_typed(struct form *form, struct open_form *own);    // lists what matches the text
void open_form_up(struct form *form, struct open_form *own);       // lists the folder above
void open_form_complete(struct form *form, struct open_form *own); // the row becomes the text

// Sets `path` to the file to open. False: a folder is listed now, or a note says there is no file.
bool open_form_accept(struct form *form, struct open_form *own, char path[FORM_TEXT]);
