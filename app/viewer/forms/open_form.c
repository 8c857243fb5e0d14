#include "app/viewer/forms/open_form.h"

#include "app/viewer/forms/open_list.h"
#include "app/viewer/work/document.h"
#include "volumes/base/printable.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HELP "Type a name or a path. Tab completes it, Backspace shows the folder above."

// Loads the recent files, without the open file or session `path`.
static void open_form_recent(const char *path, struct recent *out)
{
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

// Splits the text into the folder to list, without "..", and the part of a name to look for. False:
// the path is too long.
static bool open_form_where(
    const struct form *form, const struct open_form *own, char lists[FORM_TEXT],
    const char **looks_for)
{
    if (!open_list_where(form->fields[0].text, own->folder, lists, FORM_TEXT, looks_for)) {
        return false;
    }
    char *whole = realpath(lists, NULL);
    if (whole) {
        snprintf(lists, FORM_TEXT, "%s", whole);
    }
    free(whole);
    return true;
}

void open_form_typed(struct form *form, struct open_form *own)
{
    const char *text = form->fields[0].text, *looks_for;
    char lists[FORM_TEXT];
    struct recent recent = { 0 };
    if (!open_form_where(form, own, lists, &looks_for)) {
        form_set_note(form, true, "The path is too long.");
        form_clear_rows(form);
        return;
    }
    const bool here = !strchr(text, '/') && !own->browsed;
    if (here) {
        open_form_recent(own->open, &recent);
    }
    form_set_note(form, false, "%s", HELP);
    if (open_list_fill(form, lists, looks_for, here ? &recent : NULL) && form->row_count == 0) {
        form_set_note(form, false, "No volume, session or folder here has such a name.");
    }
    recent_free(&recent);
    own->moved = false;
    form_set_line(form, "%s", lists);
}

// Lists a folder. Selects the row of the path `from` if there is one.
static void
open_form_go(struct form *form, struct open_form *own, const char *folder, const char *from)
{
    char *whole = realpath(folder, NULL);
    snprintf(own->folder, sizeof own->folder, "%s", whole ? whole : folder);
    free(whole);
    own->browsed = true;
    form_set_text(form, 0, "");
    form->version++; // resets the field: the folder's name may have been typed
    open_form_typed(form, own);
    for (uint32_t i = 0; from && i < form->row_count; i++) {
        if (strcmp(form->rows[i].value, from) == 0) {
            form->selected = (int)i;
        }
    }
}

void open_form_up(struct form *form, struct open_form *own)
{
    char from[FORM_TEXT], above[FORM_TEXT];
    snprintf(from, sizeof from, "%s", own->folder);
    open_list_parent(from, above, sizeof above);
    open_form_go(form, own, above, from);
}

void open_form_complete(struct form *form, struct open_form *own)
{
    char lists[FORM_TEXT], text[FORM_TEXT];
    const char *looks_for;
    if (open_form_where(form, own, lists, &looks_for) &&
        open_list_complete(form, lists, text, sizeof text)) {
        form_set_text(form, 0, text);
        form->at_end = true; // further typing continues at the end
        open_form_typed(form, own);
    }
}

bool open_form_accept(struct form *form, struct open_form *own, char path[FORM_TEXT])
{
    const struct form_row *row = form->selected >= 0 ? &form->rows[form->selected] : NULL;
    const char *text = form->fields[0].text;
    struct stat there;
    // A typed path counts if it exists, unless a row was selected after it was typed.
    const bool exists = *text && form_path(text, own->folder, path, FORM_TEXT) &&
                        stat(path, &there) == 0 && !own->moved;
    if (!exists && !row) {
        form_set_note(form, true, "There is no file or folder %s.", text);
        return false;
    }
    if (!exists) {
        snprintf(path, FORM_TEXT, "%s", row->value);
    }
    if (exists ? S_ISDIR(there.st_mode) : row->kind == OPEN_FOLDER) {
        char from[FORM_TEXT];
        snprintf(from, sizeof from, "%s", own->folder);
        open_form_go(form, own, path, from);
        return false;
    }
    return true;
}

// The sentence that asks for the missing volume.
static void open_form_question(const struct session_file *session, char *out, size_t size)
{
    char name[300], stated[800];
    printable_copy(document_file_name(session->path), name, sizeof name);
    printable_copy(session->stated, stated, sizeof stated);
    snprintf(
        out, size, "The session %s shows the volume %s, which is not there. Where is it?", name,
        stated);
}

void open_form_show(
    struct form *form, struct open_form *own, const char *place, const struct session_file *asks)
{
    place = asks ? asks->path : place;
    const char *slash = place ? strrchr(place, '/') : NULL;
    form_begin(form, asks ? "Find a volume" : "Open a volume or a session", "Open");
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
    open_form_go(form, own, folder, NULL);
    own->browsed = asks; // a recent file is hardly the missing volume
    open_form_typed(form, own);
}
