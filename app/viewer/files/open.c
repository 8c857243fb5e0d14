#include "app/viewer/files/open.h"

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

static const double SLICE_MS = 10; // of work before the next look at events

void open_cancel(struct open *opening)
{
    if (opening->loader) {
        loader_cancel(opening->loader);
    }
    opening->cancelled = true; // if something is being uploaded
}

static bool open_same_path(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool open_start_as(
    struct viewer *viewer, const char *path, const struct volume_params *params, bool with_options,
    struct problem *problem)
{
    struct loader *loader;
    const bool in_file = viewer->params->memory_budget > 0;
    if (!loader_start(path, params, in_file, &loader, problem)) {
        return false;
    }
    open_cancel(&viewer->opening);
    store_free(&viewer->store.loading);
    loader_destroy(viewer->opening.loader);
    viewer->opening.loader = loader;
    viewer->opening.resuming = false;
    char *place = path ? strdup(path) : NULL;
    free(viewer->opening.place);
    viewer->opening.place = place;
    viewer->opening.params = *params;
    viewer->opening.with_options = with_options;
    viewer->opening.stepping = 0;
    schedule_redraw(&viewer->schedule, 2);
    return true;
}

// Starts to load a file; with the options of the command line if they are for it.
static bool
open_start_file(struct viewer *viewer, const char *path, bool with_options, struct problem *problem)
{
    const struct volume_params *given = viewer->params->volume;
    const struct volume_params params = {
        .max_bytes = given->max_bytes,
        .max_input = given->max_input,
    };
    return open_start_as(viewer, path, with_options ? given : &params, with_options, problem);
}

// Removes an error about the old file. If files were skipped, shows a message that disappears by
// itself.
static void open_take_back(struct viewer *viewer)
{
    char last[sizeof viewer->message.text];
    memcpy(last, viewer->message.text, sizeof last);
    if (!viewer->opening.stepping || viewer->opening.stepped_over == 0) {
        viewer_unsay(viewer);
    } else if (viewer->opening.stepped_over == 1) {
        viewer_say(viewer, "Skipped: %s", last);
    } else {
        viewer_say(
            viewer, "Skipped %u files that cannot be read. The last one: %s",
            viewer->opening.stepped_over, last);
    }
}

// A person asked for this volume: Left and Right did not come by.
static bool open_was_asked(const struct open *opening)
{
    return !opening->stepping || opening->in_folder;
}

// A volume or session that a person asked for is a recent one. That is a convenience: errors are
// not shown.
static void open_remember(const struct viewer *viewer, const struct document *document)
{
    struct problem problem;
    const struct session_file *session = viewer->store.own;
    const char *path = session ? session->path : document->path;
    if (path && strcmp(path, "-") != 0 && open_was_asked(&viewer->opening) &&
        !viewer->params->exit_after && !recent_add(path, &problem) && viewer->params->verbose) {
        log_note("%s", problem.text);
    }
}

// Shows another volume and resets what belongs to the old one.
static void open_show(struct viewer *viewer, struct document *document)
{
    const struct document *old = viewer->document;
    const bool again =
        !viewer->store.loading &&
        (viewer->opening.resuming || (old && open_same_path(old->path, document->path)));
    viewer->opening.resuming = false;
    if (!again) {
        store_leave(viewer);
    }
    if (viewer->message.is_error) {
        open_take_back(viewer);
    }
    surface_work_end(viewer);
    measurement_end(&viewer->comparing);
    casts_drop(viewer);
    document_destroy(viewer->document);
    viewer->document = document;
    store_show(viewer, again);
    viewer->nothing_opened.kind = PROBLEM_NONE;
    const struct method *wanted = viewer->settings.view.method;
    const char *refused = viewer_refuses(viewer, wanted);
    if (refused && viewer_next_method(viewer, +1)) {
        viewer_say(
            viewer, "%s cannot run on this volume: %s. The method is now %s.", wanted->name,
            refused, viewer->settings.view.method->name);
    }
    if (!again) {
        open_remember(viewer, document);
    }
    if (viewer->params->watch && document->path && strcmp(document->path, "-") != 0) {
        watch_begin(&viewer->opening.watch, &viewer->opening.files);
    }
    schedule_open(&viewer->schedule);
    viewer->meters.history_count = 0;
    if (again && viewer->undo.count > 0) {
        undo_amend(&viewer->undo, &viewer->settings.view);
    } else {
        undo_begin(&viewer->undo, &viewer->settings.view);
    }
    undo_begin_gesture(&viewer->undo);
    if (!again && open_was_asked(&viewer->opening)) {
        store_recall(viewer);
    }
    char name[1100], title[1200]; // a file's name has up to 255 bytes
    printable_copy(document->name, name, sizeof name);
    if (!again && !store_begin(&viewer->store, document->path)) {
        viewer_say(viewer, "%s is not the file that the session was saved with.", name);
    }
    snprintf(title, sizeof title, "%s - cubist", name);
    window_set_title(viewer->screen.window, title);
    viewer_redraw(viewer);
}

static void open_no_neighbour(struct viewer *viewer, bool first)
{
    struct problem problem;
    if (first) {
        viewer_say(viewer, "There is no other volume in the folder.");
        return;
    }
    problem_set(
        &problem, PROBLEM_INPUT, "No other file in the folder can be read. The last one: %s",
        viewer->message.text);
    viewer_complain(viewer, &problem);
    const struct document *document = viewer->document;
    char *place = document && document->path ? strdup(document->path) : NULL;
    if (place) {
        free(viewer->opening.place);
        viewer->opening.place = place;
    }
}

// Starts to load the file beside the last requested one.
static void open_open_beside(struct viewer *viewer, int step, bool first)
{
    struct open *opening = &viewer->opening;
    char next[PATH_MAX];
    const struct folder_place at = folder_beside(opening->place, step, next);
    const bool in_folder = first ? at.whole : opening->in_folder;
    struct problem problem;
    if (first) {
        opening->stepped_over = 0;
        opening->steps_left = at.count - at.listed;
    }
    if (at.count == 0 || opening->steps_left == 0) {
        open_no_neighbour(viewer, first);
        return;
    }
    const bool same = open_same_path(next, viewer->params->path);
    if (open_start_file(viewer, next, same || (at.whole && opening->with_options), &problem)) {
        opening->stepping = step;
        opening->in_folder = in_folder;
        opening->steps_left--;
    } else {
        viewer_complain(viewer, &problem);
    }
}

// The first volume of a folder, or the next one that can be read.
static bool open_start_folder(
    struct viewer *viewer, const char *path, bool with_options, struct problem *problem)
{
    char *place = NULL;
    if (asprintf(&place, "%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/") < 0) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening %s", path);
    }
    free(viewer->opening.place);
    viewer->opening.place = place;
    viewer->opening.with_options = with_options;
    open_open_beside(viewer, +1, true);
    return true;
}

bool open_start(struct viewer *viewer, const char *path, struct problem *problem)
{
    const bool with_options = open_same_path(path, viewer->params->path);
    char first[PATH_MAX];
    return folder_open(path, first) == path
               ? open_start_file(viewer, path, with_options, problem)
               : open_start_folder(viewer, path, with_options, problem);
}

// Loads the file for the session, which is freed where that fails.
static bool open_start_for(
    struct viewer *viewer, struct opened_session *session, const char *path,
    struct problem *problem)
{
    const bool fine = open_start_as(viewer, path, &session->stated.volume, false, problem);
    if (fine) {
        viewer->store.loading = session;
    } else {
        store_free(&session);
    }
    return fine;
}

// Loads the volume of a session, or lets the form ask where it is.
static bool open_start_session(struct viewer *viewer, const char *path, struct problem *problem)
{
    struct opened_session *session = store_open(path, viewer->params, viewer->settings, problem);
    if (session && session_file_find(&session->file, problem)) {
        return open_start_for(viewer, session, session->file.volume, problem);
    }
    if (session && session->file.stated) {
        store_ask(&viewer->store, session, &session->file, problem);
        return true;
    }
    store_free(&session); // it names no file
    return false;
}

bool open_chosen(struct viewer *viewer, const char *path, struct problem *problem)
{
    struct store *store = &viewer->store;
    struct opened_session *asks = store->asks;
    const bool of_line = store->waits && !asks;
    store->asks = NULL;
    store->waits = NULL;
    if (session_file_named(path)) {
        store_free(&asks);
        return open_start_session(viewer, path, problem);
    }
    return asks      ? open_start_for(viewer, asks, path, problem)
           : of_line ? open_start_as(viewer, path, viewer->params->volume, true, problem)
                     : open_start(viewer, path, problem);
}

bool open_reload(struct viewer *viewer, struct problem *problem)
{
    const struct document *document = viewer->document;
    if (!document && viewer->params->missing) {
        store_ask(&viewer->store, NULL, viewer->params->session, viewer->params->missing);
        return true;
    }
    return document ? open_start_as(
                          viewer, document->path, &document->params,
                          open_same_path(document->path, viewer->params->path), problem)
                    : open_start(viewer, viewer->params->path, problem);
}

void open_step(struct viewer *viewer, int step)
{
    if (viewer->opening.place) {
        open_open_beside(viewer, step, true);
    } else {
        viewer_say(viewer, "The generated volume has no folder: open a file first.");
    }
}

// Whether the file says nothing of itself: then a form asks about it.
static bool open_ask(struct viewer *viewer, const struct problem *why)
{
    struct open *opening = &viewer->opening;
    const uint32_t *dim = opening->params.dim, *atlas = opening->params.atlas;
    const bool told = dim[0] || dim[1] || dim[2] || atlas[0] || atlas[1];
    if (why->kind != PROBLEM_INPUT || told || opening->stepping || opening->loader ||
        !opening->place || viewer->params->exit_after ||
        !raw_guess_needed(opening->place, &opening->unsized.bytes)) {
        return false;
    }
    free(opening->unsized.path);
    opening->unsized.path = strdup(opening->place);
    opening->unsized.why = *why;
    return opening->unsized.path;
}

// Handles a failure. False: the problem must end the viewer. Otherwise a message shows the problem.
static bool open_survive(struct viewer *viewer, const struct problem *why, struct problem *problem)
{
    const bool cancelled = why->kind == PROBLEM_INTERRUPTED;
    const bool first = !viewer->document && !cancelled;
    const bool for_people =
        why->kind != PROBLEM_USAGE && why->kind != PROBLEM_INTERNAL && !viewer->params->exit_after;
    if (interrupted || viewer->gpu.lost || (first && !for_people)) {
        *problem = *why;
        return false;
    }
    if (first) {
        viewer->nothing_opened =
            *why; // shown in the window; its exit code is returned when the window closes
    }
    if (cancelled && viewer->opening.loader) {
        return true; // the user has opened another file instead
    }
    if (!open_ask(viewer, why)) {
        viewer_complain(viewer, why);
    }
    if (document_has_dropped(viewer->document)) {
        schedule_again(&viewer->schedule); // the surface was given up in vain
    }
    if (why->kind == PROBLEM_INPUT && viewer->opening.stepping && !viewer->opening.loader) {
        viewer->opening.stepped_over++;
        open_open_beside(viewer, viewer->opening.stepping, false);
    }
    return true;
}

// Cancels the upload to the device.
static void open_drop(struct viewer *viewer)
{
    struct open *opening = &viewer->opening;
    extract_end(opening->extract);
    document_destroy(opening->document);
    opening->extract = NULL;
    opening->document = NULL;
    picture_memory_keep_reserve(viewer);
}

// The volume is on the device, or its parts will be read as needed.
static void open_arrive(struct viewer *viewer)
{
    struct open *opening = &viewer->opening;
    struct document *document = opening->document;
    extract_end(opening->extract);
    opening->extract = NULL;
    opening->document = NULL;
    const struct atlas *whole = document_arrive(document);
    notes_warn(&document->volume);
    if (viewer->params->verbose) {
        notes_volume(document->path, &document->volume, opening->read_ms);
        if (whole) {
            notes_atlas(whole);
        }
    }
    open_show(viewer, document);
}

// Begins to upload what was read to the device.
static bool open_begin(struct viewer *viewer, struct loaded *loaded, struct problem *problem)
{
    struct open *opening = &viewer->opening;
    surface_work_end(viewer);
    opening->cancelled = false;
    opening->read_ms = loader_ms(opening->loader);
    opening->document =
        document_create(&viewer->gpu, loader_path(opening->loader), loaded, problem);
    if (opening->document) {
        opening->document->params = opening->params;
    }
    if (!opening->document ||
        !surface_work_open_parts(viewer, opening->document, &opening->extract, problem)) {
        return false;
    }
    if (!opening->extract) {
        open_arrive(viewer);
    }
    return true;
}

bool open_take(struct viewer *viewer, struct problem *problem)
{
    struct open *opening = &viewer->opening;
    struct problem why = { 0 };
    struct loaded loaded = { 0 };
    if (!opening->loader || opening->document) {
        return true;
    }
    const enum loader_state state = loader_take(opening->loader, &loaded, &why);
    if (state == LOADER_BUSY) {
        return true;
    }
    source_files_free(&opening->files);
    opening->files = loader_files(opening->loader);
    const bool fine = state == LOADER_DONE && open_begin(viewer, &loaded, &why);
    loaded_destroy(&loaded);
    loader_destroy(opening->loader);
    opening->loader = NULL;
    schedule_redraw(&viewer->schedule, 2);
    if (!fine) {
        open_drop(viewer);
    }
    return fine || viewer->schedule.quit || open_survive(viewer, &why, problem);
}

bool open_go_on(struct viewer *viewer, struct problem *problem)
{
    struct open *opening = &viewer->opening;
    struct problem why = { 0 };
    struct part part;
    enum next next = NEXT_FAILED;
    if (opening->cancelled) {
        problem_set(&why, PROBLEM_INTERRUPTED, "cancelled while uploading the volume");
    } else {
        next = extract_next(opening->extract, SLICE_MS, &part, &why);
    }
    if (next == NEXT_DONE) {
        open_arrive(viewer);
    } else if (next == NEXT_FAILED) {
        open_drop(viewer);
        return viewer->schedule.quit || open_survive(viewer, &why, problem);
    }
    return true;
}

void open_look(struct viewer *viewer)
{
    struct open *opening = &viewer->opening;
    const double now = window_time();
    struct problem problem;
    if (!opening->loader && !opening->document && viewer->document &&
        watch_is_due(&opening->watch, now) && watch_poll(&opening->watch, now) &&
        !open_reload(viewer, &problem)) {
        viewer_complain(viewer, &problem);
    }
}

void open_end(struct viewer *viewer)
{
    watch_end(&viewer->opening.watch);
    source_files_free(&viewer->opening.files);
    loader_destroy(viewer->opening.loader);
    open_drop(viewer);
    free(viewer->opening.place);
    free(viewer->opening.unsized.path);
}
