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

#define FORM_TEXT   4096 // bytes of a text, with its final zero
#define FORM_FIELDS 5

struct form_field {
    const char *label;
    const char *hint;           // shown while the text is empty
    const char *const *choices; // texts to choose from, and NULL at the end; NULL: a text is typed
    uint32_t choice;
    char text[FORM_TEXT];
};

struct form_row {
    char *label, *detail; // shown
    char *value;          // what the row stands for; never NULL
    int kind;             // each form has its own numbers for this
};

// Zero-initialised means none. Release with form_clear.
struct form {
    const char *title;   // NULL: no form is shown
    const char *accept;  // what Enter does, such as "Open"
    char question[1300]; // below the title, in as many lines as it needs; may be empty
    char line[1200];     // below the question; may be empty
    struct form_field fields[FORM_FIELDS];
    uint32_t field_count, focus;
    struct form_row *rows;
    uint32_t row_count, room;
    uint32_t least_rows; // the list is at least so many rows high, so that its height stays
    int selected;        // index of the selected row; -1: none
    char note[1200];
    bool note_is_error;
    uint32_t version; // changes if a text or the focus changes in another way than by typing
    bool at_end;      // puts the cursor at the end of the text, and selects nothing in it
    // ui_form writes the members below when it draws the form.
    uint32_t drawn; // the version that was drawn last
    int scrolled;   // the row that the list was last scrolled to
    bool ready;     // everything typed so far is in the texts
};

// What the person did with the mouse and in text fields since the frame before.
struct form_answer {
    bool typed;   // a text or a choice has changed
    int row;      // the clicked row; -1: none
    int focus;    // the clicked field; -1: none
    bool accepts; // the button was clicked, or a row twice
    bool cancels;
};

// Replaces the form by an empty one.
void form_begin(struct form *form, const char *title, const char *accept);
void form_clear(struct form *form); // frees the rows and zeroes the form
void form_clear_rows(struct form *form);
// Adds a row. Copies the texts, which may have any bytes; `label` and `detail` become printable.
// False: out of memory, and no row is added.
bool form_add_row(
    struct form *form, const char *label, const char *detail, const char *value, int kind);

// Makes a path of a file's name as people type it: "~/" is the home folder, and a relative name is
// in `folder` (NULL: the current one). False: the path is too long.
bool form_path(const char *text, const char *folder, char *out, size_t size);

void form_set_text(struct form *form, uint32_t field, const char *text);
// These make a text that may have any bytes, and store it in printable form.
void form_set_line(struct form *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void form_set_note(struct form *form, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Moves the selection by `step` rows, and past one end to the other. False: there are no rows.
bool form_select(struct form *form, int step);
void form_focus(struct form *form, int step); // +1: the next field; -1: the one before
// Moves the choice of the field in focus by `step`. False: the field has no choices.
bool form_choose(struct form *form, int step);

#ifdef __cplusplus
}
#endif
