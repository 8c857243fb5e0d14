#include "app/viewer/forms/open_list.h"

#include "app/base/session_file.h"
#include "volumes/base/printable.h"
#include "volumes/formats/folder.h"
#include "volumes/formats/raw_name.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define RECENT_ROWS 5 // recent files that are listed while nothing is typed

bool open_list_where(
    const char *text, const char *folder, char *lists, size_t size, const char **looks_for)
{
    const char *slash = strrchr(text, '/'), *home = getenv("HOME");
    const int length = slash ? (int)(slash - text) : 0;
    int needed;
    *looks_for = slash ? slash + 1 : text;
    if (slash && text[0] == '~' && (length == 1 || text[1] == '/') && home) {
        needed = snprintf(lists, size, "%s%.*s", home, length - 1, text + 1);
    } else if (slash && text[0] == '/') {
        needed = snprintf(lists, size, "%.*s", length > 0 ? length : 1, text);
    } else if (slash) {
        const bool root = strcmp(folder, "/") == 0;
        needed = snprintf(lists, size, "%s/%.*s", root ? "" : folder, length, text);
    } else {
        needed = snprintf(lists, size, "%s", folder);
    }
    return (size_t)needed < size;
}

void open_list_parent(const char *folder, char *out, size_t size)
{
    const char *slash = strrchr(folder, '/');
    const int length = slash && slash != folder ? (int)(slash - folder) : 1;
    snprintf(out, size, "%.*s", length, slash ? folder : "/");
}

static void open_list_size(off_t bytes, char *out, size_t size)
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024 && unit < 4) {
        value /= 1024;
        unit++;
    }
    snprintf(out, size, "%.*f %s", unit > 0 && value < 100, value, units[unit]);
}

// While nothing is typed, lists recent files of all folders; otherwise only those of other folders.
static void open_list_recent(
    struct form *form, const char *lists, const char *looks_for, const struct recent *recent)
{
    const uint32_t most = *looks_for ? RECENT_MOST : RECENT_ROWS;
    for (uint32_t i = 0; i < recent->count && form->row_count < most; i++) {
        const char *path = recent->paths[i], *name = strrchr(path, '/') + 1;
        char above[FORM_TEXT], where[FORM_TEXT + 10];
        struct stat there;
        open_list_parent(path, above, sizeof above);
        if (!strcasestr(name, looks_for) || (*looks_for && strcmp(above, lists) == 0)) {
            continue;
        }
        const bool folder = stat(path, &there) == 0 && S_ISDIR(there.st_mode);
        snprintf(where, sizeof where, "recent, %s", above);
        form_add_row(form, name, where, path, folder ? OPEN_SLICES : OPEN_FILE);
    }
}

// Adds a row for one entry of the folder if it matches and can be opened or listed.
static void open_list_entry(
    struct form *form, const char *lists, const char *name, bool folders, const char *looks_for)
{
    char path[FORM_TEXT + 300], label[300], detail[64] = "";
    struct stat there;
    struct raw_name raw;
    const bool hidden =
        name[0] == '.' && (*looks_for != '.' || !name[1] || strcmp(name, "..") == 0);
    snprintf(path, sizeof path, "%s/%s", strcmp(lists, "/") == 0 ? "" : lists, name);
    if (hidden || !strcasestr(name, looks_for) || stat(path, &there) != 0 ||
        folders != S_ISDIR(there.st_mode)) {
        return;
    }
    if (folders) {
        snprintf(label, sizeof label, "%s/", name);
        form_add_row(form, label, "", path, OPEN_FOLDER);
        return;
    }
    raw_name_parse(name, &raw);
    if (S_ISREG(there.st_mode) && (folder_lists(name) || raw.raw || session_file_named(name))) {
        open_list_size(there.st_size, detail, sizeof detail);
        form_add_row(form, name, detail, path, OPEN_FILE);
    }
}

// How well a row fits. 2: its name begins with `looks_for`; 1: it does if case is ignored; 0: it
// does not. If nothing is looked for, 1: the row can be opened; 0: it is a folder to list.
static int open_list_fit(const struct form_row *row, const char *looks_for)
{
    const char *name = strrchr(row->value, '/') + 1;
    const size_t length = strlen(looks_for);
    if (length == 0) {
        return row->kind != OPEN_FOLDER;
    }
    return strncmp(name, looks_for, length) == 0       ? 2
           : strncasecmp(name, looks_for, length) == 0 ? 1
                                                       : 0;
}

// Selects the first of the rows that fit best.
static void open_list_select(struct form *form, const char *looks_for)
{
    form->selected = form->row_count > 0 ? 0 : -1;
    for (uint32_t i = 1; i < form->row_count; i++) {
        if (open_list_fit(&form->rows[i], looks_for) >
            open_list_fit(&form->rows[form->selected], looks_for)) {
            form->selected = (int)i;
        }
    }
}

bool open_list_complete(const struct form *form, const char *lists, char *out, size_t size)
{
    char above[FORM_TEXT], shown[FORM_TEXT];
    if (form->selected < 0) {
        return false;
    }
    const struct form_row *row = &form->rows[form->selected];
    open_list_parent(row->value, above, sizeof above);
    const bool inside = strcmp(above, lists) == 0;
    const char *text = form->fields[0].text, *slash = inside ? strrchr(text, '/') : NULL;
    const char *name = inside ? strrchr(row->value, '/') + 1 : row->value;
    const size_t length = strlen(name);
    const char *end = row->kind == OPEN_FOLDER && length && name[length - 1] != '/' ? "/" : "";
    printable_copy(name, shown, sizeof shown);
    const int typed = slash ? (int)(slash + 1 - text) : 0;
    return length > 0 && strcmp(shown, name) == 0 &&
           (size_t)snprintf(out, size, "%.*s%s%s", typed, text, name, end) < size;
}

bool open_list_fill(
    struct form *form, const char *lists, const char *looks_for, const struct recent *recent)
{
    struct dirent **entries = NULL;
    form_clear_rows(form);
    if (recent) {
        open_list_recent(form, lists, looks_for, recent);
    }
    const int count = scandir(lists, &entries, NULL, versionsort);
    if (count < 0) {
        form_set_note(form, true, "%s cannot be listed: %s", lists, strerror(errno));
        open_list_select(form, looks_for);
        return false;
    }
    struct folder folder = { 0 };
    if (!*looks_for) {
        folder_look(lists, &folder);
    }
    if (folder.store) {
        form_add_row(form, "This folder, as a Zarr or N5 store", "", lists, OPEN_SLICES);
    } else if (folder.slices > 0) {
        char detail[64];
        snprintf(detail, sizeof detail, "%u file%s", folder.slices, folder.slices == 1 ? "" : "s");
        form_add_row(form, "This folder, as a stack of slices", detail, lists, OPEN_SLICES);
    }
    if (!*looks_for && strcmp(lists, "/") != 0) {
        char above[FORM_TEXT];
        open_list_parent(lists, above, sizeof above);
        form_add_row(form, "../", above, above, OPEN_FOLDER);
    }
    for (int folders = 1; folders >= 0; folders--) {
        for (int i = 0; i < count; i++) {
            open_list_entry(form, lists, entries[i]->d_name, folders, looks_for);
        }
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    open_list_select(form, looks_for);
    return true;
}
