#include "app/viewer/forms/forms.h"

#include "app/base/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct form *forms_show(
    struct viewer *viewer, const struct form_type *type, const char *title, const char *accept)
{
    struct form *form = &viewer->forms.form;
    form_clear(form);
    form->title = title;
    form->accept = accept;
    form->version++;
    viewer->forms.type = type;
    viewer->settings.help = false;
    schedule_redraw(&viewer->schedule, 3);
    return form;
}

void forms_close(struct viewer *viewer)
{
    form_clear(&viewer->forms.form);
    viewer->forms.type = NULL;
    schedule_redraw(&viewer->schedule, 3);
}

bool forms_path(const char *text, const char *folder, char *out, size_t size)
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

static void forms_cancel(struct viewer *viewer)
{
    const struct form_type *type = viewer->forms.type;
    forms_close(viewer);
    if (type->cancelled) {
        type->cancelled(viewer);
    }
}

static void forms_accept(struct viewer *viewer)
{
    if (viewer->forms.type->accepted(viewer)) {
        forms_close(viewer);
    }
}

void forms_key(struct viewer *viewer, const struct window_event *event)
{
    struct form *form = &viewer->forms.form;
    const struct form_type *type = viewer->forms.type;
    const struct form_field *field = &form->fields[form->focus];
    switch (event->key) {
    case KEY_ESCAPE:
        forms_cancel(viewer);
        break;
    case KEY_ENTER:
        forms_accept(viewer);
        break;
    case KEY_UP:
    case KEY_DOWN:
        if (form_select(form, event->key == KEY_UP ? -1 : +1)) {
            type->selected(viewer);
        }
        break;
    case KEY_LEFT:
    case KEY_RIGHT:
        if (form_choose(form, event->key == KEY_LEFT ? -1 : +1)) {
            type->typed(viewer);
        }
        break;
    case KEY_TAB:
        if (type->completed) {
            type->completed(viewer);
        } else {
            form_focus(form, event->mods & MOD_SHIFT ? -1 : +1);
        }
        break;
    case KEY_BACKSPACE:
        if (type->erased && viewer->forms.was_empty && !field->choices && !field->text[0]) {
            type->erased(viewer);
        }
        break;
    default:
        break;
    }
    schedule_redraw(&viewer->schedule, 3);
}

void forms_answer(struct viewer *viewer, const struct form_answer *answer)
{
    struct form *form = &viewer->forms.form;
    if (answer->focus >= 0) {
        form->focus = (uint32_t)answer->focus;
    }
    if (answer->typed) {
        viewer->forms.type->typed(viewer);
    }
    // What was typed in the same frame may have replaced the rows: the click was on one of the old.
    const bool stale = answer->typed && answer->row >= 0;
    if (answer->row >= 0 && !stale) {
        form->selected = answer->row;
        viewer->forms.type->selected(viewer);
    }
    if (answer->cancels) {
        forms_cancel(viewer);
    } else if (answer->accepts && !stale) {
        forms_accept(viewer);
    }
}
