#include "app/viewer/files/open.h"

#include "app/base/file_source.h"
#include "app/base/progress.h"
#include "app/base/report.h"
#include "app/base/user_folder.h"
#include "app/viewer/files/store.h"
#include "app/viewer/files/undo.h"
#include "app/viewer/methods/measurement.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surface_work.h"
#include "volumes/base/log.h"
#include "volumes/base/printable.h"
#include "volumes/formats/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SLICE_MS = 10; // time of work before events are handled

void open_cancel(struct open *opening)
{
    if (opening->loader) {
        loader_cancel(opening->loader);
    }
    opening->cancelled = true; // cancels the upload, if any
}

static bool open_same_path(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool open_start_as(
    struct files *files, const char *path, const struct volume_params *params, bool with_options,
    struct problem *problem)
{
    struct loader *loader;
    const bool in_file = files->params->memory_budget > 0;
    struct volume_params own = *params;
    own.level_bytes = file_source_level_bytes(files->works->gpu);
    if (!loader_start(path, &own, in_file, &loader, problem)) {
        return false;
    }
    open_cancel(&files->open);
    store_free(&files->store.loading);
    loader_destroy(files->open.loader);
    files->open.loader = loader;
    files->open.resuming = false;
    char *place = path ? strdup(path) : NULL;
    free(files->open.place);
    files->open.place = place;
    files->open.params = *params;
    files->open.with_options = with_options;
    files->open.stepping = 0;
    schedule_redraw(files->works->schedule, 2);
    return true;
}

// Starts to load a file. `with_options`: with the options of the command line. `named`: a person
// has named this file.
static bool open_start_file(
    struct files *files, const char *path, bool with_options, bool named, struct problem *problem)
{
    const struct volume_params *given = files->params->volume;
    struct volume_params params = {
        .max_bytes = given->max_bytes,
        .max_input = given->max_input,
    };
    params = with_options ? *given : params;
    params.named = named;
    return open_start_as(files, path, &params, with_options, problem);
}

// Removes an error about the old file. If files were skipped, shows a message that disappears by
// itself.
static void open_take_back(struct files *files)
{
    char last[sizeof files->message->text];
    memcpy(last, files->message->text, sizeof last);
    if (!files->open.stepping || files->open.stepped_over == 0) {
        message_unsay(files->message);
    } else if (files->open.stepped_over == 1) {
        message_say(files->message, "Skipped: %s", last);
    } else {
        message_say(
            files->message, "Skipped %u files that cannot be read. The last one: %s",
            files->open.stepped_over, last);
    }
}

// Whether a person asked for this volume, and did not only pass it with Left or Right.
static bool open_was_asked(const struct open *opening)
{
    return !opening->stepping || opening->in_folder;
}

// Adds the open volume or session to the recent ones if a person asked for it. That is a
// convenience: errors are not shown.
static void open_remember(const struct files *files)
{
    struct problem problem;
    const char *path = open_path(files);
    if (path && strcmp(path, "-") != 0 && open_was_asked(&files->open) &&
        !files->params->exit_after && !recent_add(path, &problem) && files->params->verbose) {
        log_note("%s", problem.text);
    }
}

// Shows another volume and resets what belongs to the old one.
static void open_show(struct files *files, struct document *document)
{
    const struct document *old = files->works->document;
    const bool again = !files->store.loading &&
                       (files->open.resuming || (old && open_same_path(old->path, document->path) &&
                                                 open_same_path(old->array, document->array)));
    const bool respaced = again && old && old->params.spacing[0] != document->params.spacing[0];
    files->open.resuming = false;
    if (!again) {
        store_leave(files);
    }
    if (files->message->is_error) {
        open_take_back(files);
    }
    surface_work_end(files->works);
    measurement_end(files->measurement);
    casts_drop(files->works);
    light_clear(files->works->gpu, &files->works->display.renderer.light);
    document_destroy(files->works->document);
    files->works->document = document;
    store_show(files, again, respaced);
    files->nothing_opened.kind = PROBLEM_NONE;
    const struct method *wanted = files->settings->view.method;
    const char *refused = works_refuses(files->works, wanted);
    if (refused && store_next_method(files, +1)) {
        message_say(
            files->message, "%s cannot run on this volume: %s. The method is now %s.", wanted->name,
            refused, files->settings->view.method->name);
    }
    if (!again) {
        open_remember(files);
    }
    if (files->params->watch && document->path && strcmp(document->path, "-") != 0) {
        watch_begin(&files->open.watch, &files->open.files);
    }
    schedule_open(files->works->schedule);
    files->works->meters.history_count = 0;
    if (again && files->undo->count > 0) {
        undo_amend(files->undo, &files->settings->view);
    } else {
        undo_begin(files->undo, &files->settings->view);
    }
    undo_begin_gesture(files->undo);
    if (!again && open_was_asked(&files->open)) {
        store_recall(files);
    }
    char name[1100], title[1200]; // a file's name has up to 255 bytes
    printable_copy(document->name, name, sizeof name);
    if (!again && !store_begin(&files->store, document->path)) {
        message_say(files->message, "%s is not the file that the session was saved with.", name);
    }
    snprintf(title, sizeof title, "%s - cubist", name);
    window_set_title(files->window, title);
    works_redraw(files->works);
}

static void open_no_neighbour(struct files *files, bool first)
{
    struct problem problem;
    if (first) {
        message_say(files->message, "There is no other volume in the folder.");
        return;
    }
    problem_set(
        &problem, PROBLEM_INPUT, "No other file in the folder can be read. The last one: %s",
        files->message->text);
    message_complain(files->message, &problem, ABOUT_OTHERS);
    const struct document *document = files->works->document;
    char *place = document && document->path ? strdup(document->path) : NULL;
    if (place) {
        free(files->open.place);
        files->open.place = place;
    }
}

// Starts to load the file beside the last requested one. `first`: the person has just asked for it.
static void open_open_beside(struct files *files, int step, bool first)
{
    struct open *opening = &files->open;
    char next[PATH_MAX];
    const struct folder_place at = folder_beside(opening->place, step, next);
    const bool in_folder = first ? at.whole : opening->in_folder;
    struct problem problem;
    if (first) {
        opening->stepped_over = 0;
        opening->steps_left = at.count - at.listed;
    }
    if (at.count == 0 || opening->steps_left == 0) {
        open_no_neighbour(files, first);
        return;
    }
    const bool same = open_same_path(next, files->params->path);
    const bool with_options = same || (at.whole && opening->with_options);
    if (open_start_file(files, next, with_options, false, &problem)) {
        opening->stepping = step;
        opening->in_folder = in_folder;
        opening->steps_left--;
    } else {
        message_complain(files->message, &problem, ABOUT_OTHERS);
    }
}

// Starts to load the first volume of a folder, or the next one that can be read.
static bool
open_start_folder(struct files *files, const char *path, bool with_options, struct problem *problem)
{
    char *place = NULL;
    if (asprintf(&place, "%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/") < 0) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening %s", path);
    }
    free(files->open.place);
    files->open.place = place;
    files->open.with_options = with_options;
    open_open_beside(files, +1, true);
    return true;
}

bool open_start(struct files *files, const char *path, struct problem *problem)
{
    const bool with_options = open_same_path(path, files->params->path);
    char first[PATH_MAX];
    return folder_open(path, first) == path
               ? open_start_file(files, path, with_options, true, problem)
               : open_start_folder(files, path, with_options, problem);
}

// Starts to load the file for the session. Frees the session if that fails.
static bool open_start_for(
    struct files *files, struct opened_session *session, const char *path, struct problem *problem)
{
    const bool fine = open_start_as(files, path, &session->stated.volume, false, problem);
    if (fine) {
        files->store.loading = session;
    } else {
        store_free(&session);
    }
    return fine;
}

// Starts to load the volume of a session. If it is missing, lets the form ask where it is.
static bool open_start_session(struct files *files, const char *path, struct problem *problem)
{
    struct opened_session *session = store_open(path, files->params, *files->settings, problem);
    if (session && session_file_find(&session->file, problem)) {
        return open_start_for(files, session, session->file.volume, problem);
    }
    if (session && session->file.stated) {
        store_ask(&files->store, session, &session->file, problem);
        return true;
    }
    store_free(&session); // the session names no file
    return false;
}

bool open_chosen(struct files *files, const char *path, struct problem *problem)
{
    struct store *store = &files->store;
    struct opened_session *asks = store->asks;
    const bool of_line = store->waits && !asks;
    store->asks = NULL;
    store->waits = NULL;
    if (session_file_named(path)) {
        store_free(&asks);
        return open_start_session(files, path, problem);
    }
    return asks      ? open_start_for(files, asks, path, problem)
           : of_line ? open_start_as(files, path, files->params->volume, true, problem)
                     : open_start(files, path, problem);
}

bool open_reload(struct files *files, struct problem *problem)
{
    const struct document *document = files->works->document;
    if (!document && files->params->missing) {
        store_ask(&files->store, NULL, files->params->session, files->params->missing);
        return true;
    }
    return document ? open_start_as(
                          files, document->path, &document->params,
                          open_same_path(document->path, files->params->path), problem)
                    : open_start(files, files->params->path, problem);
}

bool open_pick(
    struct files *files, const struct pick *pick, bool turns_spacing, struct problem *problem)
{
    const struct document *document = files->works->document;
    struct volume_params params = document->params;
    params.pick = *pick;
    for (int i = 0; i < 3 && turns_spacing; i++) {
        params.spacing[i] = !(params.spacing[i] > 0);
    }
    return open_start_as(
        files, document->path, &params, open_same_path(document->path, files->params->path),
        problem);
}

void open_step(struct files *files, int step)
{
    if (files->open.place) {
        open_open_beside(files, step, true);
    } else {
        message_say(files->message, "The generated volume has no folder: open a file first.");
    }
}

// Whether a form must ask about the file: it does not state its dimensions, or has a remedy.
static bool open_ask(struct files *files, const struct problem *why)
{
    struct open *opening = &files->open;
    const uint32_t *dim = opening->params.dim, *atlas = opening->params.atlas;
    const bool told = dim[0] || dim[1] || dim[2] || atlas[0] || atlas[1];
    const char *array = opening->params.pick.array;
    struct raw_file file = { .why = *why, .params = opening->params };
    if (why->kind != PROBLEM_INPUT || opening->stepping || opening->loader || !opening->place ||
        files->params->exit_after || (array && strlen(array) >= sizeof file.array) ||
        (!why->remedy && (told || !raw_guess_needed(opening->place, &file.bytes)))) {
        return false;
    }
    strcpy(file.array, array ? array : "");
    file.path = strdup(opening->place);
    free(opening->unsized.path);
    opening->unsized = file;
    return file.path;
}

// Handles a failure. False: the problem must end the viewer. Otherwise a message shows the problem.
static bool open_survive(struct files *files, const struct problem *why, struct problem *problem)
{
    const bool cancelled = why->kind == PROBLEM_INTERRUPTED;
    const bool first = !files->works->document && !cancelled;
    const bool for_people =
        why->kind != PROBLEM_USAGE && why->kind != PROBLEM_INTERNAL && !files->params->exit_after;
    if (interrupted || files->works->gpu->lost || (first && !for_people)) {
        *problem = *why;
        return false;
    }
    if (first) {
        files->nothing_opened =
            *why; // shown in the window; its exit code is returned when the window closes
    }
    if (cancelled && files->open.loader) {
        return true; // the person has opened another file instead
    }
    if (!open_ask(files, why)) {
        message_complain(files->message, why, ABOUT_OTHERS);
    }
    if (document_has_dropped(files->works->document)) {
        works_retry(files->works); // a shown surface was given up: make it again
    }
    if (why->kind == PROBLEM_INPUT && files->open.stepping && !files->open.loader) {
        files->open.stepped_over++;
        open_open_beside(files, files->open.stepping, false);
    }
    return true;
}

// Cancels the upload to the device.
static void open_drop(struct files *files)
{
    struct open *opening = &files->open;
    extract_end(opening->extract);
    document_destroy(files->works->uploading);
    opening->extract = NULL;
    files->works->uploading = NULL;
    picture_memory_keep_reserve(files->works);
}

// Shows the volume, which is on the device now, or whose parts will be read as needed.
static void open_arrive(struct files *files)
{
    struct open *opening = &files->open;
    struct document *document = files->works->uploading;
    extract_end(opening->extract);
    opening->extract = NULL;
    files->works->uploading = NULL;
    const struct atlas *whole = document_arrive(document);
    notes_warn(&document->volume);
    if (files->params->verbose) {
        notes_volume(document->path, &document->volume, opening->read_ms);
        if (whole) {
            notes_atlas(whole);
        }
    }
    open_show(files, document);
}

// Begins to upload the volume that was read to the device.
static bool open_begin(struct files *files, struct loaded *loaded, struct problem *problem)
{
    struct open *opening = &files->open;
    surface_work_end(files->works);
    opening->cancelled = false;
    opening->read_ms = loader_ms(opening->loader);
    files->works->uploading =
        document_create(files->works->gpu, loader_path(opening->loader), loaded, problem);
    if (files->works->uploading) {
        document_set_params(files->works->uploading, &opening->params);
    }
    if (!files->works->uploading ||
        !surface_work_open_parts(
            files->works, files->works->uploading, &opening->extract, problem)) {
        return false;
    }
    if (!opening->extract) {
        open_arrive(files);
    }
    return true;
}

bool open_take(struct files *files, struct problem *problem)
{
    struct open *opening = &files->open;
    struct problem why = { 0 };
    struct loaded loaded = { 0 };
    if (!opening->loader || files->works->uploading) {
        return true;
    }
    const enum loader_state state = loader_take(opening->loader, &loaded, &why);
    if (state == LOADER_BUSY) {
        return true;
    }
    source_files_free(&opening->files);
    opening->files = loader_files(opening->loader);
    const bool fine = state == LOADER_DONE && open_begin(files, &loaded, &why);
    loaded_destroy(&loaded);
    loader_destroy(opening->loader);
    opening->loader = NULL;
    schedule_redraw(files->works->schedule, 2);
    if (!fine) {
        open_drop(files);
    }
    return fine || files->works->schedule->quit || open_survive(files, &why, problem);
}

bool open_go_on(struct files *files, struct problem *problem)
{
    struct open *opening = &files->open;
    struct problem why = { 0 };
    struct part part;
    enum next next = NEXT_FAILED;
    if (opening->cancelled) {
        problem_set(&why, PROBLEM_INTERRUPTED, "cancelled while uploading the volume");
    } else {
        next = extract_next(opening->extract, SLICE_MS, &part, &why);
    }
    if (next == NEXT_DONE) {
        open_arrive(files);
    } else if (next == NEXT_FAILED) {
        open_drop(files);
        return files->works->schedule->quit || open_survive(files, &why, problem);
    }
    return true;
}

const char *open_path(const struct files *files)
{
    const struct session_file *session = files->store.own;
    const struct document *document = files->works->document;
    return session ? session->path : document ? document->path : NULL;
}

void open_await(struct files *files, double ms)
{
    const double end = clock_ms() + ms;
    while (files->open.loader && loader_busy(files->open.loader) && clock_ms() < end) {
        usleep(2000);
    }
}

void open_look(struct files *files)
{
    struct open *opening = &files->open;
    const double now = window_time();
    struct problem problem;
    if (!opening->loader && !files->works->uploading && files->works->document &&
        watch_is_due(&opening->watch, now) && watch_poll(&opening->watch, now)) {
        files->works->document->params.named = false; // the header may be another one now
        if (!open_reload(files, &problem)) {
            message_complain(files->message, &problem, ABOUT_OTHERS);
        }
    }
}

void open_end(struct files *files)
{
    watch_end(&files->open.watch);
    source_files_free(&files->open.files);
    loader_destroy(files->open.loader);
    open_drop(files);
    free(files->open.place);
    free(files->open.unsized.path);
}
