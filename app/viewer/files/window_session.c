#include "app/viewer/files/window_session.h"

#include "app/base/number.h"
#include "app/base/target.h"
#include "app/picture/render_line.h"
#include "app/settings/table.h"
#include "app/viewer/files/saver.h"
#include "volumes/base/output.h"
#include "volumes/base/printable.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const json_t *window_session_member(const struct session_file *session, const char *name)
{
    return json_object_get(json_object_get(session->file.json, "window"), name);
}

void window_session_window(const struct session_file *session, uint32_t *width, uint32_t *height)
{
    const char *text = session ? json_string_value(window_session_member(session, "size")) : NULL;
    const char *starts[2];
    size_t lengths[2];
    uint64_t values[2] = { 0 };
    if (text && split(text, 'x', 2, starts, lengths) == 2) {
        for (int i = 0; i < 2; i++) {
            if (whole_parse(starts[i], lengths[i], 16384, &values[i]) != WHOLE_OK) {
                values[0] = values[1] = 0;
                break;
            }
        }
    }
    *width = values[0] && values[1] ? (uint32_t)values[0] : 0;
    *height = values[0] && values[1] ? (uint32_t)values[1] : 0;
}

static bool window_session_refuse(
    const struct session_file *session, const char *name, const char *expected,
    struct problem *problem)
{
    char place[JSON_FILE_PLACE];
    return problem_set(
        problem, PROBLEM_INPUT, "%s: expected %s",
        json_file_place(&session->file, "window", name, place), expected);
}

bool window_session_begin(
    const struct session_file *session, struct settings *settings, struct problem *problem)
{
    for (const struct setting *row = settings_table; row->size; row++) {
        const json_t *member = row->member ? window_session_member(session, row->member) : NULL;
        const double number = json_number_value(member);
        void *at = (char *)settings + row->place;
        if (!member) {
            continue;
        }
        if (row->type == SETTING_NUMBER ? !(number >= row->least && number <= row->most)
                                        : !json_is_boolean(member)) {
            return window_session_refuse(
                session, row->member, row->expected ? row->expected : "true or false", problem);
        }
        if (row->type == SETTING_NUMBER) {
            *(float *)at = (float)number;
        } else {
            *(bool *)at = json_is_true(member);
        }
    }
    uint32_t size[2];
    window_session_window(session, &size[0], &size[1]);
    if (window_session_member(session, "size") && !size[0]) {
        return window_session_refuse(
            session, "size", "WIDTHxHEIGHT in pixels, each 1 to 16384", problem);
    }
    return true;
}

bool window_session_state(
    const struct session_file *session, const struct stated *stated, struct settings *settings,
    struct problem *problem)
{
    const struct view before = settings->view;
    struct view *view = &settings->view;
    *view = stated->view;
    // What no option states stays unless the session says it of the window.
    for (const struct setting *row = settings_table; row->size; row++) {
        if (row->member && row->place < sizeof before) {
            memcpy(setting_in(row, view), setting_of(row, &before), row->size);
        }
    }
    view->samples = before.samples; // the renderer has been made for them
    view->method = view->method ? view->method : before.method;
    return window_session_begin(session, settings, problem);
}

void window_session_place(struct viewer *viewer, const struct isovalue *iso)
{
    struct document *document = viewer->document;
    struct view *view = &viewer->settings.view;
    const VkExtent2D size = viewer_area(viewer).extent;
    view->iso = isovalue_resolve(iso, &document->facts);
    view->iso_is_auto = iso->kind == ISOVALUE_AUTO;
    view_place(view, &document->volume, &document->placement);
    view_begin(view, &document->placement, &document->cubes, (float)size.width, (float)size.height);
}

void window_session_open(struct viewer *viewer)
{
    const struct document *document = viewer->document;
    const struct session_file *session = viewer->sessions.own;
    char name[800];
    free(viewer->saving.session);
    viewer->saving.session = session ? strdup(session->path) : NULL;
    if (session && document->path && !session_file_is_of(session, document->path)) {
        printable_copy(document->name, name, sizeof name);
        viewer_say(viewer, "%s is not the file that the session was saved with.", name);
    }
}

// `user` is the object "options".
static void window_session_put(void *user, const char *name, const char *value)
{
    if (value) {
        json_add_text(user, name, value);
    } else {
        json_add_bool(user, name, true);
    }
}

static void window_session_put_size(json_t *to, VkExtent2D size)
{
    char text[32];
    snprintf(text, sizeof text, "%ux%u", size.width, size.height);
    json_add_text(to, "size", text);
}

// The member of this name, which is an object.
static json_t *window_session_object(json_t *json, const char *name)
{
    json_t *found = json_object_get(json, name);
    return json_is_object(found) ? found : json_add_object(json, name);
}

json_t *window_session_json(
    const struct viewer *viewer, const struct session_file *session, const char *path)
{
    const struct document *document = viewer->document;
    const struct settings *settings = &viewer->settings;
    const struct view *view = &settings->view;
    json_t *json = session_file_begin(session);
    session_file_put_volume(json, document->path, path);
    json_t *options = window_session_object(json, "options");
    char iso[32];
    render_line_volume(&document->params, window_session_put, options);
    json_add_text(options, "iso", view->iso_is_auto ? "auto" : number_text(view->iso, iso));
    json_add_text(options, "method", view->method->name);
    window_session_put_size(options, viewer_area(viewer).extent);
    render_line_view(view, &document->placement, window_session_put, options);
    json_t *window = window_session_object(json, "window");
    window_session_put_size(window, viewer->screen.swapchain.extent);
    for (const struct setting *row = settings_table; row->size; row++) {
        const void *at = (const char *)settings + row->place;
        if (row->member && row->type == SETTING_NUMBER) {
            json_add_number(window, row->member, (double)*(const float *)at);
        } else if (row->member) {
            json_add_bool(window, row->member, *(const bool *)at);
        }
    }
    return json;
}

// "bonsai" -> a free bonsai.cubist.json, bonsai-2.cubist.json and so on, in the working directory
static void window_session_new_path(const struct viewer *viewer, char path[OUTPUT_PLACED])
{
    char stem[200], name[256];
    saver_stem(viewer->document, stem, sizeof stem);
    snprintf(name, sizeof name, "%s.cubist.json", stem);
    for (int number = 2; access(name, F_OK) == 0 && number < 100000; number++) {
        snprintf(name, sizeof name, "%s-%d.cubist.json", stem, number);
    }
    target_here(name, path, OUTPUT_PLACED);
}

void window_session_save(struct viewer *viewer)
{
    char path[OUTPUT_PLACED], placed[OUTPUT_PLACED];
    struct problem problem;
    const struct document *document = viewer->document;
    const char *old = viewer->saving.session;
    if (document->path && strcmp(document->path, "-") == 0) {
        viewer_say(
            viewer, "The volume came from standard input: no session can open it again. Save it as "
                    "a file first.");
        return;
    }
    const struct session_file *session = viewer->sessions.own;
    const bool own = old && session && strcmp(old, session->path) == 0;
    if (!old) {
        window_session_new_path(viewer, path);
    }
    json_t *json = window_session_json(viewer, own ? session : NULL, old ? old : path);
    if (!session_file_write(json, old ? old : path, old ? NULL : placed, false, &problem)) {
        viewer_complain(viewer, &problem);
        return;
    }
    if (!old) {
        viewer->saving.session = strdup(placed);
    }
    viewer_say(viewer, "Saved the session %s", old ? old : placed);
}
