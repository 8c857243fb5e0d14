#include "app/viewer/forms/form.h"

#include "app/base/target.h"
#include "volumes/base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void form_clear_rows(struct form *form)
{
    for (uint32_t i = 0; i < form->row_count; i++) {
        free(form->rows[i].label);
        free(form->rows[i].detail);
        free(form->rows[i].value);
    }
    form->row_count = 0;
    form->selected = form->scrolled = -1;
}

void form_clear(struct form *form)
{
    form_clear_rows(form);
    free(form->rows);
    *form = (struct form){ .selected = -1, .version = form->version };
}

void form_begin(struct form *form, const char *title, const char *accept)
{
    form_clear(form);
    form->title = title;
    form->accept = accept;
    form->version++;
}

bool form_path(const char *text, const char *folder, char *out, size_t size)
{
    const char *home = getenv("HOME");
    const bool in_home = home && text[0] == '~' && (text[1] == '/' || !text[1]);
    int length;
    if (in_home) {
        length = snprintf(out, size, "%s%s", home, text + 1);
    } else if (text[0] == '/') {
        length = snprintf(out, size, "%s", text);
    } else if (folder) {
        const bool slash = *folder && folder[strlen(folder) - 1] == '/';
        length = snprintf(out, size, "%s%s%s", folder, slash ? "" : "/", text);
    } else {
        target_here(text, out, size);
        length = (int)strlen(out);
    }
    return length >= 0 && (size_t)length < size;
}

static char *form_printable(const char *text)
{
    char shown[FORM_TEXT];
    printable_copy(text, shown, sizeof shown);
    return strdup(shown);
}

bool form_add_row(
    struct form *form, const char *label, const char *detail, const char *value, int kind)
{
    if (form->row_count == form->room) {
        const uint32_t room = form->room ? 2 * form->room : 64;
        struct form_row *rows = realloc(form->rows, room * sizeof *rows);
        if (!rows) {
            return false;
        }
        form->rows = rows;
        form->room = room;
    }
    struct form_row row = { form_printable(label), form_printable(detail), strdup(value), kind };
    if (!row.label || !row.detail || !row.value) {
        free(row.label);
        free(row.detail);
        free(row.value);
        return false;
    }
    form->rows[form->row_count++] = row;
    return true;
}

void form_set_text(struct form *form, uint32_t field, const char *text)
{
    char *out = form->fields[field].text;
    if (strcmp(out, text) != 0) {
        snprintf(out, FORM_TEXT, "%s", text);
        form->version++;
    }
}

static void form_print(char *out, size_t size, const char *format, va_list arguments)
{
    char text[8192 + 200];
    vsnprintf(text, sizeof text, format, arguments);
    printable_copy(text, out, size);
}

void form_set_line(struct form *form, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    form_print(form->line, sizeof form->line, format, arguments);
    va_end(arguments);
}

void form_set_note(struct form *form, bool is_error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    form_print(form->note, sizeof form->note, format, arguments);
    va_end(arguments);
    form->note_is_error = is_error;
}

bool form_select(struct form *form, int step)
{
    const int count = (int)form->row_count;
    if (count == 0) {
        return false;
    }
    const int from = form->selected < 0 && step < 0 ? 0 : form->selected;
    form->selected = (from + step + count) % count;
    return true;
}

void form_focus(struct form *form, int step)
{
    const int count = (int)form->field_count;
    form->focus = (uint32_t)(((int)form->focus + step + count) % count);
    form->version++;
}

bool form_choose(struct form *form, int step)
{
    struct form_field *field = &form->fields[form->focus];
    if (!field->choices) {
        return false;
    }
    int count = 0;
    while (field->choices[count]) {
        count++;
    }
    field->choice = (uint32_t)(((int)field->choice + step + count) % count);
    return true;
}
