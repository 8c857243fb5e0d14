#include "app/viewer/forms/forms.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(FORM_TEXT <= OUTPUT_PLACED, "a wish has room for the path of a row");

void forms_close(struct forms *forms)
{
    form_clear(&forms->form);
    forms->kind = FORM_NONE;
}

void forms_open(struct forms *forms, const char *place, const struct session_file *asks)
{
    forms->kind = FORM_OPEN;
    open_form_show(&forms->form, &forms->open, place, asks);
}

static bool forms_shown(struct forms *forms, enum form_kind kind, bool fine)
{
    forms->kind = kind;
    if (!fine) {
        forms_close(forms);
    }
    return fine;
}

bool forms_export(struct forms *forms, const char *title, const char *stem)
{
    return forms_shown(
        forms, FORM_EXPORT, export_form_show(&forms->form, title, stem, forms->format));
}

bool forms_ask_raw(struct forms *forms, struct raw_file file, const struct volume_params *given)
{
    free(forms->raw.file.path);
    forms->raw.file = file;
    forms->raw.given = given;
    return forms_shown(forms, FORM_RAW, raw_form_show(&forms->form, &forms->raw));
}

void forms_end(struct forms *forms)
{
    forms_close(forms);
    free(forms->raw.file.path);
}

// A text or a choice has changed.
static void forms_typed(struct forms *forms)
{
    struct volume_params params;
    if (forms->kind == FORM_OPEN) {
        open_form_typed(&forms->form, &forms->open);
    } else if (forms->kind == FORM_EXPORT) {
        export_form_typed(&forms->form);
    } else {
        raw_form_read(&forms->form, &forms->raw, &params);
    }
}

// Another row is selected.
static void forms_selected(struct forms *forms)
{
    if (forms->kind == FORM_OPEN) {
        forms->open.moved = true;
    } else if (forms->kind == FORM_EXPORT) {
        export_form_selected(&forms->form);
    } else {
        raw_form_selected(&forms->form, &forms->raw);
    }
}

static void forms_finish(struct forms *forms, bool accepted, struct form_wish *wish)
{
    wish->kind = forms->kind;
    wish->accepted = accepted;
    forms_close(forms);
}

static void forms_accept(struct forms *forms, struct form_wish *wish)
{
    struct form *form = &forms->form;
    if (forms->kind == FORM_OPEN     ? open_form_accept(form, &forms->open, wish->path)
        : forms->kind == FORM_EXPORT ? export_form_check(form, wish->path)
                                     : raw_form_read(form, &forms->raw, &wish->volume)) {
        forms->format = forms->kind == FORM_EXPORT ? (uint32_t)form->selected : forms->format;
        forms_finish(forms, true, wish);
    }
}

void forms_key(struct forms *forms, const struct window_event *event, struct form_wish *wish)
{
    struct form *form = &forms->form;
    const struct form_field *field = &form->fields[form->focus];
    switch (event->key) {
    case KEY_ESCAPE:
        forms_finish(forms, false, wish);
        break;
    case KEY_ENTER:
        forms_accept(forms, wish);
        break;
    case KEY_UP:
    case KEY_DOWN:
        if (form_select(form, event->key == KEY_UP ? -1 : +1)) {
            forms_selected(forms);
        }
        break;
    case KEY_LEFT:
    case KEY_RIGHT:
        if (form_choose(form, event->key == KEY_LEFT ? -1 : +1)) {
            forms_typed(forms);
        }
        break;
    case KEY_TAB:
        if (forms->kind == FORM_OPEN) {
            open_form_complete(form, &forms->open);
        } else {
            form_focus(form, event->mods & MOD_SHIFT ? -1 : +1);
        }
        break;
    case KEY_BACKSPACE:
        if (forms->kind == FORM_OPEN && forms->was_empty && !field->text[0]) {
            open_form_up(form, &forms->open);
        }
        break;
    default:
        break;
    }
}

void forms_answer(struct forms *forms, const struct form_answer *answer, struct form_wish *wish)
{
    struct form *form = &forms->form;
    if (answer->focus >= 0) {
        form->focus = (uint32_t)answer->focus;
    }
    if (answer->typed) {
        forms_typed(forms);
    }
    // Text typed in this frame may have replaced the rows: then the click meant an old row.
    const bool stale = answer->typed && answer->row >= 0;
    if (answer->row >= 0 && !stale) {
        form->selected = answer->row;
        forms_selected(forms);
    }
    if (answer->cancels) {
        forms_finish(forms, false, wish);
    } else if (answer->accepts && !stale) {
        forms_accept(forms, wish);
    }
}
