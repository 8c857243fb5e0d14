// The form that is shown, if any: passes it keys, mouse and typed text. There is at most one. While
// it is shown, keys belong to it.
#pragma once

#include "app/viewer/state.h"

// What a form does. It fills viewer->forms.form.
struct form_type {
    void (*typed)(struct viewer *viewer);     // a text or a choice has changed
    void (*selected)(struct viewer *viewer);  // another row is selected
    bool (*accepted)(struct viewer *viewer);  // Enter: true closes the form
    void (*erased)(struct viewer *viewer);    // Backspace in an empty text; NULL: nothing happens
    void (*completed)(struct viewer *viewer); // Tab; NULL: the next field
    void (*cancelled)(struct viewer *viewer); // after Esc; NULL: nothing more happens
};

// Shows an empty form instead of the one before. The caller fills it.
struct form *forms_show(
    struct viewer *viewer, const struct form_type *type, const char *title, const char *accept);
void forms_close(struct viewer *viewer);

// The name of a file as people type it, as a path: "~/" is the home folder, and a relative name is
// in `folder` (NULL: the current one). False where it is too long.
bool forms_path(const char *text, const char *folder, char *out, size_t size);

// A pressed key, once the texts have what was typed before it.
void forms_key(struct viewer *viewer, const struct window_event *event);

void forms_answer(struct viewer *viewer, const struct form_answer *answer);
