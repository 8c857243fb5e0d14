#include "app/viewer/forms/raw_form.h"

#include "app/viewer/files/loader.h"
#include "app/viewer/files/open.h"
#include "app/viewer/forms/forms.h"
#include "app/viewer/forms/raw_params.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_DIMS, FIELD_TYPE, FIELD_ORDER, FIELD_SPACING, FIELD_OFFSET, FIELD_COUNT };
_Static_assert(FIELD_COUNT <= FORM_FIELDS, "a form has room for all fields");

// The params that the form says. False where they do not fit the file; the note says why.
static bool raw_form_read(struct viewer *viewer, struct volume_params *params)
{
    struct form *form = &viewer->forms.form;
    const struct raw_texts texts = {
        .dims = form->fields[FIELD_DIMS].text,
        .spacing = form->fields[FIELD_SPACING].text,
        .offset = form->fields[FIELD_OFFSET].text,
    };
    const struct volume_params *given = viewer->params->volume;
    char note[200];
    *params = (struct volume_params){
        .max_bytes = given->max_bytes,
        .max_input = given->max_input,
        .has_type = true,
        .type = (enum volume_type)form->fields[FIELD_TYPE].choice,
        .order = form->fields[FIELD_ORDER].choice ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE,
    };
    const bool fits = raw_params_read(&texts, viewer->forms.raw.bytes, params, note, sizeof note);
    form_set_note(form, !fits, "%s", note);
    return fits;
}

static void raw_form_typed(struct viewer *viewer)
{
    struct volume_params params;
    raw_form_read(viewer, &params);
}

// The fields say what the row is.
static void raw_form_selected(struct viewer *viewer)
{
    struct form *form = &viewer->forms.form;
    const struct raw_guess *guess = &viewer->forms.raw.guesses[form->selected];
    char text[64];
    snprintf(text, sizeof text, "%ux%ux%u", guess->dim[0], guess->dim[1], guess->dim[2]);
    form_set_text(form, FIELD_DIMS, text);
    snprintf(text, sizeof text, "%" PRIu64, guess->offset);
    form_set_text(form, FIELD_OFFSET, text);
    form->fields[FIELD_TYPE].choice = (uint32_t)guess->type;
    raw_form_typed(viewer);
}

static bool raw_form_accepted(struct viewer *viewer)
{
    struct volume_params params;
    struct problem problem;
    const char *path = viewer->forms.raw.path, *first = viewer->params->path;
    if (!raw_form_read(viewer, &params)) {
        return false;
    }
    const bool with_options = first && strcmp(path, first) == 0;
    if (!open_start_as(viewer, path, &params, with_options, &problem)) {
        viewer_complain(viewer, &problem);
    }
    return true;
}

static void raw_form_cancelled(struct viewer *viewer)
{
    viewer_complain(viewer, &viewer->forms.raw.why);
}

// What fits, as rows. False where there is no memory.
static bool raw_form_list(struct viewer *viewer)
{
    struct form *form = &viewer->forms.form;
    struct raw_form *raw = &viewer->forms.raw;
    const uint32_t count = raw_guess(raw->bytes, raw->guesses, RAW_FORM_GUESSES);
    for (uint32_t i = 0; i < count; i++) {
        const struct raw_guess *guess = &raw->guesses[i];
        char label[64], detail[64];
        snprintf(label, sizeof label, "%u x %u x %u", guess->dim[0], guess->dim[1], guess->dim[2]);
        snprintf(detail, sizeof detail, "%s", volume_type_name(guess->type));
        if (guess->offset > 0) {
            snprintf(
                detail, sizeof detail, "%s after %" PRIu64 " bytes", volume_type_name(guess->type),
                guess->offset);
        }
        if (!form_add_row(form, label, detail, "", 0)) {
            return false;
        }
    }
    return true;
}

static void raw_form_show(struct viewer *viewer)
{
    static const struct form_type type = {
        .typed = raw_form_typed,
        .selected = raw_form_selected,
        .accepted = raw_form_accepted,
        .cancelled = raw_form_cancelled,
    };
    static const char *const orders[] = { "little endian", "big endian", NULL };
    static const char *types[VOLUME_TYPES + 1];
    const struct raw_form *raw = &viewer->forms.raw;
    struct form *form = forms_show(viewer, &type, "What is in this file?", "Open");
    for (int i = 0; i < VOLUME_TYPES; i++) {
        types[i] = volume_type_name((enum volume_type)i);
    }
    form_set_line(
        form, "%s has %" PRIu64 " bytes and does not say what they are.",
        loader_file_name(raw->path), raw->bytes);
    form->field_count = FIELD_COUNT;
    form->fields[FIELD_DIMS] =
        (struct form_field){ .label = "Size", .hint = "width x height x slices" };
    form->fields[FIELD_TYPE] = (struct form_field){ .label = "Type", .choices = types };
    form->fields[FIELD_ORDER] = (struct form_field){ .label = "Byte order", .choices = orders };
    form->fields[FIELD_SPACING] = (struct form_field){ .label = "Spacing", .hint = "1,1,1" };
    form->fields[FIELD_OFFSET] = (struct form_field){ .label = "Header", .hint = "0 bytes" };
    form->least_rows = 6;
    if (!raw_form_list(viewer)) {
        forms_close(viewer);
        raw_form_cancelled(viewer);
    } else if (form_select(form, +1)) {
        raw_form_selected(viewer);
    } else {
        raw_form_typed(viewer);
    }
}

void raw_form_ask(struct viewer *viewer)
{
    struct open *opening = &viewer->opening;
    struct raw_form *raw = &viewer->forms.raw;
    if (opening->unsized) {
        free(raw->path);
        raw->path = opening->unsized;
        raw->bytes = opening->unsized_bytes;
        raw->why = opening->unsized_why;
        opening->unsized = NULL;
        raw_form_show(viewer);
    }
}

void raw_form_end(struct viewer *viewer)
{
    form_clear(&viewer->forms.form);
    free(viewer->forms.raw.path);
    free(viewer->opening.unsized);
}
