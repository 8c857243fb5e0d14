// The form that lists recent files, folders, volumes and sessions, and opens one. It also asks
// for the volume of a session that misses it.
#pragma once

#include "app/base/session_file.h"
#include "app/viewer/forms/form.h"

struct open_form {
    const char *open;       // path of the open file or its session, which is not listed as recent
    char folder[FORM_TEXT]; // that is listed
    bool browsed;           // another folder than at first: recent files are of no use
    bool moved;             // a row was selected after the last text was typed
};

// Lists the folder of `place`, the path of a file; NULL: the current one. `asks`: a session that
// misses its volume; NULL: none.
void open_form_show(
    struct form *form, struct open_form *own, const char *place, const struct session_file *asks);
void open_form_typed(struct form *form, struct open_form *own);    // lists what the text means
void open_form_up(struct form *form, struct open_form *own);       // lists the folder above
void open_form_complete(struct form *form, struct open_form *own); // the selected row is the text

// The file to open. False: a folder is listed now, or a note says that there is no such file.
bool open_form_accept(struct form *form, struct open_form *own, char path[FORM_TEXT]);
