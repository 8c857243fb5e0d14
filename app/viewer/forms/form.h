// A form over the picture: texts to fill in and a list to select from. This is plain data: ui_form
// draws it, forms passes it what the person does, and each form has a file that fills it and reads
// it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FORM_TEXT   4096 // bytes of a text, with its end
#define FORM_FIELDS 5

struct form_field {
    const char *label;
    const char *hint;           // shown while the text is empty
    const char *const *choices; // what can be chosen, ended by NULL; NULL: a text is typed
    uint32_t choice;
    char text[FORM_TEXT];
};

struct form_row {
    char *label, *detail; // shown
    char *value;          // what the row stands for; never NULL
    int kind;             // of the form's own kinds
};

// Zero-initialised means none. Release with form_clear.
struct form {
    const char *title;   // NULL: no form is shown
    const char *accept;  // what Enter does: "Open"
    char question[1300]; // below the title, in as many lines as it needs; may be empty
    char line[1200];     // below that; may be empty
    struct form_field fields[FORM_FIELDS];
    uint32_t field_count, focus;
    struct form_row *rows;
    uint32_t row_count, room;
    uint32_t least_rows; // the list has room for so many, so that it stays as it is
    int selected;        // a row; -1: none
    char note[1200];
    bool note_is_error;
    uint32_t version; // differs when a text was changed, or the focus moved, other than by typing
    bool at_end;      // with this version the cursor is at the end, and nothing is selected
    // Written by what draws it.
    uint32_t drawn; // the version
    int scrolled;   // the row that was brought into sight last
    bool ready;     // what was typed is in the texts
};

// What the person did with the mouse and in text fields since the frame before.
struct form_answer {
    bool typed;   // a text or a choice has changed
    int row;      // was clicked; -1: none
    int focus;    // a field was clicked; -1: none
    bool accepts; // the button, or a double click on a row
    bool cancels;
};

// An empty form instead of the one before.
void form_begin(struct form *form, const char *title, const char *accept);
void form_clear(struct form *form); // frees the rows and zeroes the form
void form_clear_rows(struct form *form);
// Copies the texts, which may have any bytes; what is shown is printable. Without memory there is
// no row, and it returns false.
bool form_add_row(
    struct form *form, const char *label, const char *detail, const char *value, int kind);

// The name of a file as people type it, as a path: "~/" is the home folder, and a relative name is
// in `folder` (NULL: the current one). False where it is too long.
bool form_path(const char *text, const char *folder, char *out, size_t size);

void form_set_text(struct form *form, uint32_t field, const char *text);
// These may be given any bytes, too.
void form_set_line(struct form *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void form_set_note(struct form *form, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Moves the selection, from one end of the list to the other. False where there are no rows.
bool form_select(struct form *form, int step);
void form_focus(struct form *form, int step); // the next field, or the one before
// Chooses the next choice of the field in focus. False where it has none.
bool form_choose(struct form *form, int step);

#ifdef __cplusplus
}
#endif
