// The form that asks for dims and type of a raw file that does not state them, or for the option
// that lets another file be opened.
#pragma once

#include "app/viewer/forms/form.h"
#include "volumes/formats/raw_guess.h"
#include "volumes/volume.h"

#define RAW_FORM_GUESSES 100

enum raw_field { RAW_DIMS, RAW_TYPE, RAW_ORDER, RAW_SPACING, RAW_OFFSET, RAW_FIELDS };
_Static_assert(RAW_FIELDS <= FORM_FIELDS, "a form has room for all fields");

// A file that was not opened: a raw file, or one for which why.remedy is an option.
struct raw_file {
    char *path;                  // NULL: none
    uint64_t bytes;              // size of a raw file: its samples and header
    struct problem why;          // why it was not opened
    struct volume_params params; // how it was read; `array` stands in place of pick.array
    char array[1024];            // "": none was asked for
};

struct raw_form {
    struct raw_file file;
    const struct volume_params *given; // its limits max_bytes and max_input apply
    struct raw_guess guesses[RAW_FORM_GUESSES];
    const char *types[VOLUME_TYPES + 1]; // the choices of RAW_TYPE
};

// Asks about raw->file. False: out of memory.
bool raw_form_show(struct form *form, struct raw_form *raw);
void raw_form_selected(struct form *form, const struct raw_form *raw); // fills the fields

// Reads the params from the fields; their texts live as long as `raw`. If the third number of the
// dims is left out, it follows from the file's size. False: the params do not fit the file. The
// note says what is wrong, or which dims fit.
bool raw_form_read(struct form *form, const struct raw_form *raw, struct volume_params *params);
