#include "app/viewer/forms/export_form.h"

#include "compute/mesh/mesh_formats.h"
#include "volumes/base/printable.h"
#include "volumes/formats/readers.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The row of the format whose extension is at the end of the text; -1: none.
static int export_form_named(const char *text)
{
    for (int i = 0; mesh_formats[i].name; i++) {
        if (path_has_extension(text, mesh_formats[i].extension)) {
            return i;
        }
    }
    return -1;
}

// Sets `out` to the path that the form's text means. False: it is too long.
static bool export_form_path(const struct form *form, char out[OUTPUT_PLACED])
{
    char name[FORM_TEXT + 16];
    const char *text = form->fields[0].text;
    const bool named = export_form_named(text) >= 0;
    snprintf(name, sizeof name, "%s%s", text, named ? "" : mesh_formats[form->selected].extension);
    return form_path(name, NULL, out, OUTPUT_PLACED - 256);
}

bool export_form_check(struct form *form, char path[OUTPUT_PLACED])
{
    char folder[OUTPUT_PLACED], free_name[OUTPUT_PLACED];
    const char *text = form->fields[0].text, *slash = strrchr(text, '/');
    const char *last = slash ? slash + 1 : text;
    struct stat there;
    const int named = export_form_named(text);
    if (!*last || (named >= 0 && strlen(last) == strlen(mesh_formats[named].extension))) {
        form_set_note(form, true, "Type a name.");
        return false;
    }
    if (!export_form_path(form, path)) {
        form_set_note(form, true, "The name is too long.");
        return false;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path) + 1, path);
    if (stat(folder, &there) != 0 || access(folder, W_OK) != 0) {
        const bool exists = stat(folder, &there) == 0;
        form_set_note(
            form, true, exists ? "The folder %s cannot be written to." : "There is no folder %s.",
            folder);
        return false;
    }
    int number = 1;
    do {
        output_number(path, number++, free_name, sizeof free_name);
    } while (lstat(free_name, &there) == 0 && number < 100000);
    form_set_note(form, false, "%s%s", free_name, number > 2 ? "  (the name itself is taken)" : "");
    return true;
}

void export_form_typed(struct form *form)
{
    char path[OUTPUT_PLACED];
    const int named = export_form_named(form->fields[0].text);
    form->selected = named >= 0 ? named : form->selected;
    export_form_check(form, path);
}

void export_form_selected(struct form *form)
{
    char path[OUTPUT_PLACED], text[FORM_TEXT + 16];
    const char *old = form->fields[0].text;
    const int named = export_form_named(old);
    if (named >= 0 && named != form->selected) {
        const size_t stem = strlen(old) - strlen(mesh_formats[named].extension);
        const char *extension = mesh_formats[form->selected].extension;
        snprintf(text, sizeof text, "%.*s%s", (int)stem, old, extension);
        form_set_text(form, 0, text);
    }
    export_form_check(form, path);
}

// A text field cannot hold all bytes of a file's name; what cannot be shown becomes "_".
static void export_form_name(const char *stem, char *out, size_t size)
{
    char shown[16];
    size_t at = 0;
    for (const char *from = stem; *from && at + 16 < size;) {
        const size_t bytes = printable_next(from, shown);
        const bool same = strlen(shown) == bytes && memcmp(shown, from, bytes) == 0;
        at += (size_t)snprintf(out + at, size - at, "%s", same ? shown : "_");
        from += bytes;
    }
    out[at] = 0;
}

bool export_form_show(struct form *form, const char *title, const char *stem, uint32_t format)
{
    char name[256], path[OUTPUT_PLACED];
    form_begin(form, title, "Write");
    form->field_count = 1;
    form->fields[0].label = "Name";
    export_form_name(stem, name, sizeof name);
    form_set_text(form, 0, name);
    for (int i = 0; mesh_formats[i].name; i++) {
        if (!form_add_row(form, mesh_formats[i].extension, mesh_formats[i].summary, "", 0)) {
            return false;
        }
    }
    form->selected = (int)format;
    export_form_check(form, path);
    return true;
}
