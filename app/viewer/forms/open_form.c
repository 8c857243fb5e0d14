#include "app/viewer/forms/open_form.h"

#include "app/viewer/files/loader.h"
#include "app/viewer/files/open.h"
#include "app/viewer/files/store.h"
#include "app/viewer/forms/forms.h"
#include "app/viewer/forms/open_list.h"
#include "volumes/base/printable.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HELP "Type a name or a path. Tab completes it, Backspace shows the folder above."

// The recent files but the one that is open, or its session.
static void open_form_recent(const struct viewer *viewer, struct recent *out)
{
    const struct document *document = viewer->document;
    const struct session_file *session = viewer->store.own;
    const char *path = session ? session->path : document ? document->path : NULL;
    char *open = path ? realpath(path, NULL) : NULL;
    uint32_t kept = 0;
    recent_load(out);
    for (uint32_t i = 0; i < out->count; i++) {
        if (open && strcmp(out->paths[i], open) == 0) {
            free(out->paths[i]);
        } else {
            out->paths[kept++] = out->paths[i];
        }
    }
    out->count = kept;
    free(open);
}

// The folder that the text means, without "..", and the name that is looked for in it. False where
// the path is too long.
static bool
open_form_where(const struct viewer *viewer, char lists[FORM_TEXT], const char **looks_for)
{
    const char *text = viewer->forms.form.fields[0].text;
    if (!open_list_where(text, viewer->forms.folder, lists, FORM_TEXT, looks_for)) {
        return false;
    }
    char *whole = realpath(lists, NULL);
    if (whole) {
        snprintf(lists, FORM_TEXT, "%s", whole);
    }
    free(whole);
    return true;
}

// Lists what the text means.
static void open_form_list(struct viewer *viewer)
{
    struct form *form = &viewer->forms.form;
    const char *text = form->fields[0].text, *looks_for;
    char lists[FORM_TEXT];
    struct recent recent = { 0 };
    if (!open_form_where(viewer, lists, &looks_for)) {
        form_set_note(form, true, "The path is too long.");
        form_clear_rows(form);
        return;
    }
    const bool here = !strchr(text, '/') && !viewer->forms.browsed;
    if (here) {
        open_form_recent(viewer, &recent);
    }
    form_set_note(form, false, "%s", HELP);
    if (open_list_fill(form, lists, looks_for, here ? &recent : NULL) && form->row_count == 0) {
        form_set_note(form, false, "No volume, session or folder here has such a name.");
    }
    recent_free(&recent);
    viewer->forms.moved = false;
    form_set_line(form, "%s", lists);
}

// Lists a folder, where `from` is selected if it is in it.
static void open_form_go(struct viewer *viewer, const char *folder, const char *from)
{
    struct form *form = &viewer->forms.form;
    char *whole = realpath(folder, NULL);
    snprintf(viewer->forms.folder, sizeof viewer->forms.folder, "%s", whole ? whole : folder);
    free(whole);
    viewer->forms.browsed = true;
    form_set_text(form, 0, "");
    form->version++; // the folder's name may have been typed
    open_form_list(viewer);
    for (uint32_t i = 0; from && i < form->row_count; i++) {
        if (strcmp(form->rows[i].value, from) == 0) {
            form->selected = (int)i;
        }
    }
}

static void open_form_typed(struct viewer *viewer)
{
    open_form_list(viewer);
}

static void open_form_selected(struct viewer *viewer)
{
    viewer->forms.moved = true;
}

static void open_form_erased(struct viewer *viewer)
{
    char from[FORM_TEXT], above[FORM_TEXT];
    snprintf(from, sizeof from, "%s", viewer->forms.folder);
    open_list_parent(from, above, sizeof above);
    open_form_go(viewer, above, from);
}

// Puts the selected row into the text.
static void open_form_completed(struct viewer *viewer)
{
    struct form *form = &viewer->forms.form;
    char lists[FORM_TEXT], text[FORM_TEXT];
    const char *looks_for;
    if (open_form_where(viewer, lists, &looks_for) &&
        open_list_complete(form, lists, text, sizeof text)) {
        form_set_text(form, 0, text);
        form->at_end = true; // what is typed next goes on from there
        open_form_list(viewer);
    }
}

// Opens a file, or lists a folder. True: the form closes.
static bool open_form_take(struct viewer *viewer, const char *path, enum open_kind kind)
{
    struct problem problem;
    char copy[FORM_TEXT], from[FORM_TEXT]; // the path may be of a row
    snprintf(copy, sizeof copy, "%s", path);
    snprintf(from, sizeof from, "%s", viewer->forms.folder);
    if (kind == OPEN_FOLDER) {
        open_form_go(viewer, copy, from);
        return false;
    }
    if (!open_chosen(viewer, copy, &problem)) {
        viewer_complain(viewer, &problem);
    }
    return true;
}

static bool open_form_accepted(struct viewer *viewer)
{
    struct form *form = &viewer->forms.form;
    const struct form_row *row = form->selected >= 0 ? &form->rows[form->selected] : NULL;
    char path[FORM_TEXT];
    const char *text = form->fields[0].text;
    struct stat there;
    // What is typed counts if it is there, unless a row was selected after that.
    const bool exists = *text && forms_path(text, viewer->forms.folder, path, sizeof path) &&
                        stat(path, &there) == 0;
    if (exists && !viewer->forms.moved) {
        return open_form_take(viewer, path, S_ISDIR(there.st_mode) ? OPEN_FOLDER : OPEN_FILE);
    }
    if (row) {
        return open_form_take(viewer, row->value, (enum open_kind)row->kind);
    }
    form_set_note(form, true, "There is no file or folder %s.", text);
    return false;
}

static void open_form_cancelled(struct viewer *viewer)
{
    if (store_give_up(&viewer->store)) {
        viewer_complain(viewer, &viewer->store.why);
    }
}

// The sentence that asks for the missing volume.
static void open_form_question(const struct session_file *session, char *out, size_t size)
{
    char name[300], stated[800];
    printable_copy(loader_file_name(session->path), name, sizeof name);
    printable_copy(session->stated, stated, sizeof stated);
    snprintf(
        out, size, "The session %s shows the volume %s, which is not there. Where is it?", name,
        stated);
}

void open_form_open(struct viewer *viewer)
{
    static const struct form_type type = {
        .typed = open_form_typed,
        .selected = open_form_selected,
        .accepted = open_form_accepted,
        .erased = open_form_erased,
        .completed = open_form_completed,
        .cancelled = open_form_cancelled,
    };
    const struct session_file *asks = viewer->store.waits;
    const char *place = asks ? asks->path : viewer->opening.place;
    const char *slash = place ? strrchr(place, '/') : NULL;
    struct form *form =
        forms_show(viewer, &type, asks ? "Find a volume" : "Open a volume or a session", "Open");
    if (asks) {
        open_form_question(asks, form->question, sizeof form->question);
    }
    form->least_rows = 12;
    form->field_count = 1;
    form->fields[0].label = "File";
    form->fields[0].hint = "name or path";
    char folder[FORM_TEXT] = ".";
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s/", (int)(slash - place), place);
    }
    open_form_go(viewer, folder, NULL);
    viewer->forms.browsed = asks; // a recent file is hardly the one
    open_form_list(viewer);
}

void open_form_ask(struct viewer *viewer)
{
    if (viewer->store.needs_form) {
        viewer->store.needs_form = false;
        open_form_open(viewer);
    }
}
