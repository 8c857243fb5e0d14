#include "app/viewer/files/store.h"

#include "app/base/fingerprint.h"
#include "app/base/number.h"
#include "app/base/target.h"
#include "app/base/user_folder.h"
#include "app/picture/render_line.h"
#include "app/settings/bindings.h"
#include "app/settings/table.h"
#include "app/viewer/panel/ui_draw.h"
#include "volumes/base/log.h"
#include "volumes/base/output.h"
#include "volumes/base/printable.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAST_VIEWS 200            // most files with last views
#define ENDING     ".cubist.json" // of the names of these files, after 16 digits

// ---- reading settings ----

static const json_t *store_member(const struct session_file *session, const char *name)
{
    return json_object_get(json_object_get(session->file.json, "window"), name);
}

void store_size(const struct session_file *session, uint32_t *width, uint32_t *height)
{
    const char *text = session ? json_string_value(store_member(session, "size")) : NULL;
    const char *starts[2];
    size_t lengths[2];
    uint64_t values[2] = { 0 };
    const bool fine = text && split(text, 'x', 2, starts, lengths) == 2 &&
                      whole_parse(starts[0], lengths[0], 16384, &values[0]) == WHOLE_OK &&
                      whole_parse(starts[1], lengths[1], 16384, &values[1]) == WHOLE_OK &&
                      values[0] && values[1];
    *width = fine ? (uint32_t)values[0] : 0;
    *height = fine ? (uint32_t)values[1] : 0;
}

static bool store_refuse(
    const struct session_file *session, const char *name, const char *expected,
    struct problem *problem)
{
    char place[JSON_FILE_PLACE];
    return problem_set(
        problem, PROBLEM_INPUT, "%s: expected %s",
        json_file_place(&session->file, "window", name, place), expected);
}

// Reads the members of "window" that have this type.
static bool store_read_type(
    const struct session_file *session, enum setting_type type, struct settings *settings,
    struct problem *problem)
{
    for (const struct setting *row = settings_table; row->size; row++) {
        const json_t *member = row->member ? store_member(session, row->member) : NULL;
        const double number = json_number_value(member);
        void *at = (char *)settings + row->place;
        if (row->type != type || (!member && !row->resets)) {
            continue;
        }
        if (type == SETTING_SWITCH && json_is_boolean(member)) {
            *(bool *)at = json_is_true(member);
        } else if (type == SETTING_NUMBER && number >= row->least && number <= row->most) {
            *(float *)at = (float)number;
        } else {
            return store_refuse(
                session, row->member, row->expected ? row->expected : "true or false", problem);
        }
    }
    return true;
}

static bool store_read_window(
    const struct session_file *session, struct settings *settings, struct problem *problem)
{
    uint32_t size[2];
    store_size(session, &size[0], &size[1]);
    if (!store_read_type(session, SETTING_SWITCH, settings, problem)) {
        return false;
    }
    if (store_member(session, "size") && !size[0]) {
        return store_refuse(session, "size", "WIDTHxHEIGHT in pixels, each 1 to 16384", problem);
    }
    return store_read_type(session, SETTING_NUMBER, settings, problem);
}

bool store_first(struct files *files, const struct settings *kept, struct problem *problem)
{
    const struct viewer_params *params = files->params;
    struct settings *settings = files->settings;
    if (kept) {
        *settings = *kept;
        settings->help = settings->sweeping = false;
        return true;
    }
    *settings = (struct settings){
        .view = *params->view,
        .panel = true,
        .text_scale = 1,
        .enlarged = 1,
    };
    settings->view.camera.distance = 3;
    settings->view.axes = settings->view.scale_bar = true;
    return !params->session || store_read_window(params->session, settings, problem);
}

bool store_next_method(struct files *files, int step)
{
    const int count = (int)method_count();
    int index = (int)method_row(files->settings->view.method);
    for (int i = 0; i < count; i++) {
        index = (index + step + count) % count;
        if (!works_refuses(files->works, method_at(index))) {
            files->settings->view.method = method_at(index);
            return true;
        }
    }
    return false;
}

bool store_first_method(struct files *files, struct problem *problem)
{
    const char *device = files->works->gpu->properties.deviceName;
    const struct method *wanted = files->params->view->method;
    struct view *view = &files->settings->view;
    view->method = view->method ? view->method : wanted ? wanted : method_default();
    const char *reason = works_refuses(files->works, view->method);
    if (reason && view->method == wanted && !files->params->any_method) {
        return problem_set(
            problem, PROBLEM_UNSUPPORTED, "--method %s cannot run on %s: %s", wanted->name, device,
            reason);
    }
    return !reason || store_next_method(files, +1) ||
           problem_set(
               problem, PROBLEM_UNSUPPORTED, "no compaction method can run on %s: %s", device,
               reason);
}

// Sets the stated view, and reads the session's "window".
static bool store_set(
    const struct session_file *session, const struct stated *stated, struct settings *settings,
    struct problem *problem)
{
    const struct view before = settings->view;
    struct view *view = &settings->view;
    *view = stated->view;
    // Members of the view that belong to "window" stay as they are unless the session states them.
    for (const struct setting *row = settings_table; row->size; row++) {
        if (row->member && row->place < sizeof before) {
            memcpy(setting_in(row, view), setting_of(row, &before), row->size);
        }
    }
    view->samples = before.samples; // the renderer has been made for them
    view->method = view->method ? view->method : before.method;
    return store_read_window(session, settings, problem);
}

// Reads all of a session into `settings`, which contain the window's settings so far.
static bool store_read(
    const struct viewer_params *params, const struct session_file *session, bool with_line,
    struct settings *settings, struct stated *stated, struct problem *problem)
{
    return params->read_stated(params->line, session, with_line, stated, problem) &&
           store_set(session, stated, settings, problem);
}

// Sets the isovalues for the open volume, and then the camera, as the view states them.
static void store_place(
    struct view *view, struct document *document, VkExtent2D size, const struct isovalue *isos)
{
    for (uint32_t i = 0; i < view_contours(view); i++) {
        view->isos[i] = isovalue_resolve(&isos[i], &document->facts);
        view->auto_isos[i] = isos[i].kind == ISOVALUE_AUTO;
    }
    view_place(view, &document->volume, &document->placement);
    view_begin(view, &document->placement, &document->cubes, (float)size.width, (float)size.height);
}

// ---- sessions that are opened ----

struct opened_session *store_open(
    const char *path, const struct viewer_params *params, struct settings settings,
    struct problem *problem)
{
    struct opened_session *session = calloc(1, sizeof *session);
    if (!session) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading a session");
    } else if (
        !session_file_open(path, &session->file, problem) ||
        !store_read(params, &session->file, false, &settings, &session->stated, problem)) {
        store_free(&session);
    }
    return session;
}

void store_free(struct opened_session **session)
{
    if (*session) {
        session_file_close(&(*session)->file);
    }
    free(*session);
    *session = NULL;
}

void store_ask(
    struct store *store, struct opened_session *session, const struct session_file *file,
    const struct problem *why)
{
    store_free(&store->asks);
    store->asks = session;
    store->waits = file;
    store->why = *why;
    store->needs_form = true;
}

bool store_give_up(struct store *store)
{
    const bool waited = store->waits;
    store->waits = NULL;
    store_free(&store->asks);
    return waited;
}

static void store_fit(const struct files *files)
{
    const struct document *document = files->works->document;
    const VkExtent2D size = files->works->area.extent;
    view_fit_surface(
        &files->settings->view, &document->placement, &document->cubes, (float)size.width,
        (float)size.height);
}

void store_show(struct files *files, bool again, bool fits)
{
    struct store *store = &files->store;
    struct works *works = files->works;
    struct view *view = &files->settings->view;
    struct document *document = works->document;
    const struct viewer_params *params = files->params;
    const bool with_options = files->open.with_options;
    const bool of_line = with_options && params->session && params->session->volume == params->path;
    struct problem problem;
    if (again) {
        for (uint32_t i = 0; i < view_contours(view); i++) {
            view->isos[i] = view->auto_isos[i] ? document->facts.iso : view->isos[i];
        }
        view_place(view, &document->volume, &document->placement);
        if (fits) {
            store_fit(files);
        }
        return;
    }
    files->settings->sweeping = false;
    store_free(&store->shown);
    store->shown = store->loading;
    store->loading = NULL;
    const struct opened_session *shown = store->shown;
    store->own = shown ? &shown->file : of_line ? params->session : NULL;
    // store_set does not fail here, because store_open has checked the session.
    if (shown && store_set(&shown->file, &shown->stated, files->settings, &problem)) {
        works->area = ui_draw_area(files->ui, files->settings, works->extent); // beside its panel
        store_place(view, document, works->area.extent, shown->stated.isos);
    } else if (with_options) {
        store_place(view, document, works->area.extent, params->isos);
        if (!params->session) { // a session says which contours it has
            view_show_signs(view, &document->volume, &document->facts);
        }
    } else {
        view->further = view->contour = 0;
        view->isos[0] = document->facts.iso;
        view->auto_isos[0] = true;
        view->hidden[0] = false;
        view->transparencies[0] = 0;
        view_show_signs(view, &document->volume, &document->facts);
        view->grey = (struct grey){ 0 };
        planes_forget_places(view->clips);
        planes_forget_places(view->sections);
        view_place(view, &document->volume, &document->placement);
        camera_reset(&view->camera);
        store_fit(files);
    }
    store->begun = *view;
    store->last = with_options && !shown ? (struct view){ 0 } : *view;
    store->last.method = params->any_method ? view->method : store->last.method;
}

bool store_begin(struct store *store, const char *volume)
{
    free(store->path);
    store->path = store->own ? strdup(store->own->path) : NULL;
    return !store->own || !volume || session_file_is_of(store->own, volume);
}

void store_end(struct store *store)
{
    store_free(&store->loading);
    store_free(&store->asks);
    store_free(&store->shown);
    free(store->path);
}

// ---- writing settings ----

// `user` is the object "options".
static void store_put(void *user, const char *name, const char *value)
{
    if (value) {
        json_add_text(user, name, value);
    } else {
        json_add_bool(user, name, true);
    }
}

static void store_put_size(json_t *to, VkExtent2D size)
{
    char text[32];
    snprintf(text, sizeof text, "%ux%u", size.width, size.height);
    json_add_text(to, "size", text);
}

// The member of this name, as an object, which is added if there is none.
static json_t *store_object(json_t *json, const char *name)
{
    json_t *found = json_object_get(json, name);
    return json_is_object(found) ? found : json_add_object(json, name);
}

// The JSON of a session with these settings, for a file at `path`. Keeps the unknown members of
// `session`, the session before; NULL: none. session_file_write writes and frees the JSON.
static json_t *store_json(
    const struct files *files, const struct settings *settings, const struct session_file *session,
    const char *path)
{
    const struct document *document = files->works->document;
    const struct view *view = &settings->view;
    json_t *json = session_file_begin(session);
    session_file_put_volume(json, document->path, path);
    json_t *options = store_object(json, "options");
    char isos[SETTING_TEXT];
    render_line_volume(&document->params, store_put, options);
    json_add_text(options, "iso", render_line_isos(view, true, isos));
    if (view->method) {
        json_add_text(options, "method", view->method->name);
    }
    store_put_size(options, files->works->area.extent);
    render_line_view(view, &document->placement, store_put, options);
    json_t *window = store_object(json, "window");
    store_put_size(window, files->works->extent);
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
static void store_new_path(const struct document *document, char path[OUTPUT_PLACED])
{
    char stem[200], name[256];
    document_stem(document, stem, sizeof stem);
    snprintf(name, sizeof name, "%s.cubist.json", stem);
    for (int number = 2; access(name, F_OK) == 0 && number < 100000; number++) {
        snprintf(name, sizeof name, "%s-%d.cubist.json", stem, number);
    }
    target_here(name, path, OUTPUT_PLACED);
}

void store_save(struct files *files)
{
    char path[OUTPUT_PLACED], placed[OUTPUT_PLACED];
    struct problem problem;
    const struct document *document = files->works->document;
    const char *old = files->store.path;
    if (document->path && strcmp(document->path, "-") == 0) {
        message_say(
            files->message,
            "The volume came from standard input: no session can open it again. Save it as "
            "a file first.");
        return;
    }
    const struct session_file *session = files->store.own;
    const bool own = old && session && strcmp(old, session->path) == 0;
    if (!old) {
        store_new_path(document, path);
    }
    json_t *json = store_json(files, files->settings, own ? session : NULL, old ? old : path);
    if (!session_file_write(json, old ? old : path, old ? NULL : placed, false, &problem)) {
        message_complain(files->message, &problem, ABOUT_OTHERS);
        return;
    }
    if (!old) {
        files->store.path = strdup(placed);
    }
    message_say(files->message, "Saved the session %s", old ? old : placed);
}

// ---- last views ----

// The path of the open volume's last view, malloc'ed. NULL: the volume's last view is not stored.
static char *store_view_path(const struct viewer_params *params, const struct document *document)
{
    char whole[PATH_MAX + 1000], name[64];
    if (!params->remembers || !document || !document->path || strcmp(document->path, "-") == 0 ||
        !realpath(document->path, whole)) {
        return NULL;
    }
    if (document->array) { // each array of a file has a last view of its own
        strncat(whole, "::", sizeof whole - strlen(whole) - 1);
        strncat(whole, document->array, sizeof whole - strlen(whole) - 1);
    }
    snprintf(name, sizeof name, "views/%016" PRIx64 ENDING, fingerprint_text(whole));
    return user_folder_path("XDG_STATE_HOME", ".local/state", name);
}

// The settings for the last view. A value that the command line gave and nobody has changed since
// is replaced by the value that the setting had without the command line.
static struct settings store_wished(const struct files *files)
{
    const struct view *begun = &files->store.begun, *last = &files->store.last;
    struct settings settings = *files->settings;
    struct view *view = &settings.view;
    for (const struct setting *row = settings_table; row->size; row++) {
        if (row->option && !row->stays && setting_same(row, view, begun)) {
            memcpy(setting_in(row, view), setting_of(row, last), row->size);
        }
    }
    view->method = view->method == begun->method ? last->method : view->method;
    return settings;
}

void store_leave(struct files *files)
{
    struct problem problem = { 0 };
    char *path = store_view_path(files->params, files->works->document);
    if (path && files->undo->present > 0) {
        const struct settings wished = store_wished(files);
        if (user_folder_make(path, &problem) &&
            session_file_write(
                store_json(files, &wished, NULL, path), path, NULL, true, &problem)) {
            user_folder_prune(path, 16, ENDING, LAST_VIEWS);
        } else if (files->params->verbose) {
            log_note("%s", problem.text);
        }
    } else if (path && files->store.recalled) {
        unlink(path);
    }
    files->store.recalled = false;
    free(path);
}

// Reads the last view from the file at `path`. `with_line`: the command line's options take
// precedence. Each call opens the file again: presets_read_session removes what it has read.
static bool store_read_last(
    const struct files *files, const char *path, bool with_line, struct settings *settings,
    struct stated *stated, struct problem *problem)
{
    struct session_file session = { 0 };
    const bool fine = session_file_open(path, &session, problem) &&
                      session_file_is_of(&session, files->works->document->path) &&
                      store_read(files->params, &session, with_line, settings, stated, problem);
    session_file_close(&session);
    return fine;
}

// Sets the view to the last view in the file, with the command line's options if they are for it.
static bool store_recall_from(struct files *files, const char *path, struct problem *problem)
{
    struct settings settings = *files->settings, last = settings;
    struct stated stated;
    if (!store_read_last(files, path, false, &last, &stated, problem)) {
        return false;
    }
    if (!files->open.with_options) {
        settings = last;
    } else if (!store_read_last(files, path, true, &settings, &stated, problem)) {
        return false;
    }
    files->store.begun = settings.view;
    files->store.last = last.view;
    if (works_refuses(files->works, settings.view.method)) {
        settings.view.method = files->settings->view.method;
    }
    files->settings->view = settings.view;
    store_place(
        &files->settings->view, files->works->document, files->works->area.extent, stated.isos);
    return true;
}

void store_recall(struct files *files)
{
    struct problem problem = { 0 };
    char *path = files->store.own || (files->open.with_options && files->params->session)
                     ? NULL
                     : store_view_path(files->params, files->works->document);
    if (path && access(path, F_OK) == 0) {
        char key[BINDINGS_TEXT];
        const bool fine = store_recall_from(files, path, &problem);
        if (fine) {
            files->store.recalled = true;
            undo_note(files->undo, &files->settings->view);
            undo_begin_gesture(files->undo);
        }
        if (fine && !files->message->text[0] && *bindings_key("undo", key)) {
            message_say(
                files->message, "This is your last view of the file. %s shows the default view.",
                key);
        } else if (problem.text[0] && files->params->verbose) {
            log_note("%s", problem.text);
        }
    }
    free(path);
}
