// The form that is shown. At most one is shown at a time. Passes keys, the mouse and typed text to
// it. While a form is shown, all keys go to it.
#pragma once

#include "app/viewer/forms/export_form.h"
#include "app/viewer/forms/open_form.h"
#include "app/viewer/forms/raw_form.h"
#include "app/viewer/window/window.h"

enum form_kind { FORM_NONE, FORM_OPEN, FORM_EXPORT, FORM_RAW };

struct forms {
    enum form_kind kind; // FORM_NONE: none is shown
    struct form form;
    struct open_form open;
    struct raw_form raw;
    uint32_t format;              // of the mesh that was exported last: a row of mesh_formats
    struct window_event keys[64]; // pressed keys; they wait for the text that was typed before
    uint32_t key_count;
    uint32_t waited; // frames that the first of the keys has waited
    bool was_empty;  // the text in focus was empty when Backspace was pressed
};

// What the person decided in a form that has closed. Zero: no form has closed.
struct form_wish {
    enum form_kind kind;         // of the form that has closed
    bool accepted;               // false: the form was cancelled
    char path[OUTPUT_PLACED];    // to open or to write; not set for FORM_RAW: see raw.file
    struct volume_params volume; // set only for FORM_RAW
};

// Each of these replaces the form that is shown. For the arguments see the form's header. False:
// out of memory, and no form is shown.
void forms_open(struct forms *forms, const char *place, const struct session_file *asks);
bool forms_export(struct forms *forms, const char *title, const char *stem);
bool forms_ask_raw(struct forms *forms, struct raw_file file, const struct volume_params *given);

void forms_close(struct forms *forms);
void forms_end(struct forms *forms); // frees all memory of `forms`

// Handles a pressed key. Call it when the texts have everything that was typed before the key.
void forms_key(struct forms *forms, const struct window_event *event, struct form_wish *wish);
void forms_answer(struct forms *forms, const struct form_answer *answer, struct form_wish *wish);
