// The form that is shown, if any: passes it keys, mouse and typed text. There is at most one. While
// it is shown, keys belong to it.
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
    uint32_t format;              // of the mesh that was exported last
    struct window_event keys[64]; // pressed since; handled after what was typed before them
    uint32_t key_count;
    uint32_t waited; // frames for the first of them
    bool was_empty;  // the text in focus, when Backspace was pressed
};

// What the person wants with a form that has closed. Zero: it stays.
struct form_wish {
    enum form_kind kind;         // of the form
    bool accepted;               // else it was cancelled
    char path[OUTPUT_PLACED];    // to open or to write; of FORM_RAW it is that of raw.file
    struct volume_params volume; // of FORM_RAW
};

// Each shows a form instead of the one before. For the arguments see the form's header. False: out
// of memory, and none is shown.
void forms_open(struct forms *forms, const char *place, const struct session_file *asks);
bool forms_export(struct forms *forms, const char *stem);
bool forms_ask_raw(struct forms *forms, struct raw_file file, const struct volume_params *given);

void forms_close(struct forms *forms);
void forms_end(struct forms *forms); // frees what they have

// A pressed key, once the texts have what was typed before it.
void forms_key(struct forms *forms, const struct window_event *event, struct form_wish *wish);
void forms_answer(struct forms *forms, const struct form_answer *answer, struct form_wish *wish);
