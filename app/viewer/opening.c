#include "app/viewer/opening.h"

#include "app/base/notes.h"
#include "app/base/progress.h"
#include "app/viewer/making.h"
#include "volumes/base/printable.h"
#include "volumes/formats/raw_name.h"
#include "volumes/formats/readers.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

// A volume on its way to the device. Meanwhile the window lives on with what it shows.
struct opening_upload {
    struct viewer *viewer;
    viewer_turn *turn;
    double next; // when the window is to be drawn again, in window_time
    bool failed; // drawing did: the problem says why
    struct problem problem;
};

static const double UPLOAD_FRAME_SECONDS = 0.1;

// False ends the upload.
static bool opening_live_on(void *user, double share)
{
    struct opening_upload *upload = user;
    struct viewer *viewer = upload->viewer;
    struct opening *opening = &viewer->opening;
    opening->uploaded = share;
    const bool draws = window_time() >= upload->next && !opening->cancelled;
    upload->failed = !upload->turn(viewer, draws, &upload->problem);
    if (draws) {
        upload->next = window_time() + UPLOAD_FRAME_SECONDS;
    }
    return !upload->failed && !opening->cancelled && !viewer->schedule.quit && !interrupted;
}

void opening_cancel(struct viewer *viewer)
{
    struct opening *opening = &viewer->opening;
    if (opening->loader) {
        loader_cancel(opening->loader);
    }
    opening->cancelled = true; // what is on its way to the device, if anything is
}

static bool opening_same_path(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool opening_start(struct viewer *viewer, const char *path, struct problem *problem)
{
    struct volume_params params = {
        .max_bytes = viewer->params->volume->max_bytes,
        .max_input = viewer->params->volume->max_input,
    };
    const bool as_told = opening_same_path(path, viewer->params->path);
    if (as_told) {
        params = *viewer->params->volume;
    }
    struct loader *loader;
    const bool in_file = viewer->params->memory_budget > 0;
    if (!loader_start(path, &params, in_file, &loader, problem)) {
        return false;
    }
    opening_cancel(viewer);
    loader_destroy(viewer->opening.loader);
    viewer->opening.loader = loader;
    viewer->opening.resuming = false;
    char *place = path ? strdup(path) : NULL;
    free(viewer->opening.place);
    viewer->opening.place = place;
    viewer->opening.as_told = as_told;
    viewer->opening.stepping = 0;
    schedule_redraw(&viewer->schedule, 2);
    return true;
}

static struct document *opening_bring(
    struct viewer *viewer, struct opening_upload *upload, struct loaded *loaded,
    struct problem *problem)
{
    const struct loader *loader = viewer->opening.uploading;
    const char *path = loader_path(loader);
    struct gpu *gpu = &viewer->gpu;
    struct document *document = document_create(path, loaded, problem);
    if (!document) {
        return NULL;
    }
    if (viewer->document && viewer->document->in.slabs) {
        slabs_release(viewer->document->in.slabs); // what is shown needs them no more
    }
    // Where a surface may become too much for a budget the way back to the samples stays.
    const bool keep_samples = viewer->params->memory_budget > 0;
    const struct progress progress = { opening_live_on, upload };
    bool larger;
    if (!making_is_larger(viewer, document, &larger, problem) ||
        !(larger ? making_cut(viewer, document, problem)
                 : document_upload(gpu, document, &progress, keep_samples, problem))) {
        document_destroy(gpu, document);
        if (viewer->document) {
            gpu->budget.reserve[PURPOSE_PICTURE] =
                viewer->document->reserve; // what is shown was planned with
        }
        return NULL;
    }
    notes_warn(&document->volume);
    if (viewer->params->verbose) {
        notes_volume(path, &document->volume, loader_ms(loader));
        if (!larger) {
            notes_atlas(&document->atlas);
        }
    }
    return document;
}

// An error was about what came before: it goes, and of files on the way a word fades.
static void opening_take_back(struct viewer *viewer)
{
    char last[sizeof viewer->message.text];
    memcpy(last, viewer->message.text, sizeof last);
    if (!viewer->opening.stepping || viewer->opening.stepped_over == 0) {
        viewer_unsay(viewer);
    } else if (viewer->opening.stepped_over == 1) {
        viewer_say(viewer, "Stepped over: %s", last);
    } else {
        viewer_say(
            viewer, "Stepped over %u files that cannot be read. The last one: %s",
            viewer->opening.stepped_over, last);
    }
}

// What changes for the person when another volume is there.
static void opening_show(struct viewer *viewer, struct document *document)
{
    const struct document *old = viewer->document;
    const bool again =
        viewer->opening.resuming || (old && opening_same_path(old->path, document->path));
    viewer->opening.resuming = false;
    if (viewer->message.is_error) {
        opening_take_back(viewer);
    }
    if (!again) {
        viewer->settings.view.iso_is_auto = true;
        if (viewer->opening.as_told) {
            viewer->settings.view.iso = isovalue_resolve(&viewer->params->iso, &document->facts);
            viewer->settings.view.iso_is_auto = viewer->params->iso.kind == ISOVALUE_AUTO;
        }
        viewer->settings.sweeping = false;
    }
    if (viewer->settings.view.iso_is_auto) {
        viewer->settings.view.iso = document->facts.iso;
    }
    document_destroy(&viewer->gpu, viewer->document);
    viewer->document = document;
    view_place(&viewer->settings.view, &document->volume, &document->placement);
    viewer->nothing_opened.kind = PROBLEM_NONE;
    viewer->schedule.export_due = false; // it was for the one before
    const struct method *wanted = viewer->settings.view.method;
    const char *refused = viewer_refuses(viewer, wanted);
    if (refused && viewer_next_method(viewer, +1)) {
        viewer_say(
            viewer, "%s cannot run on this volume: %s. Now it is %s.", wanted->name, refused,
            viewer->settings.view.method->name);
    }
    viewer->schedule.has_tried = false;
    viewer->meters.history_count = 0;
    const VkRect2D area = viewer_area(viewer);
    if (!again) {
        camera_reset(
            &viewer->settings.view.camera, document->placement.corners, (float)area.extent.width,
            (float)area.extent.height);
    }
    char name[1100], title[1200]; // a file's name has up to 255 bytes
    printable_copy(document->name, name, sizeof name);
    snprintf(title, sizeof title, "%s - cubist", name);
    window_set_title(viewer->screen.window, title);
    viewer_redraw(viewer);
}

// By the name alone: what is none after all is stepped over. A raw file whose name states no size,
// and the image of a pair, are opened through the header that stands beside them.
static int opening_is_volume(const struct dirent *entry)
{
    struct raw_name raw;
    const char *name = entry->d_name;
    raw_name_parse(name, &raw);
    if (name[0] == '.' || raw.raw || path_has_extension(name, ".img .img.gz")) {
        return name[0] != '.' && raw.has_dim;
    }
    for (size_t i = 0; i < reader_count; i++) {
        if (path_has_extension(name, readers[i].extensions)) {
            return true;
        }
    }
    return false;
}

// The place in a sorted folder `step` away from `name`, which may be none of its entries.
static int
opening_beside(struct dirent **entries, int count, const char *name, int step, bool *listed)
{
    int at = 0;
    while (at < count && strverscmp(entries[at]->d_name, name) < 0) {
        at++;
    }
    *listed = at < count && strcmp(entries[at]->d_name, name) == 0;
    return count > 0 ? (at + (step > 0 && !*listed ? 0 : step) + count) % count : -1;
}

static void opening_no_neighbour(struct viewer *viewer, bool first)
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

// Starts on the file beside the last one that was tried.
static void opening_open_beside(struct viewer *viewer, int step, bool first)
{
    const char *path = viewer->opening.place;
    const char *name = loader_file_name(path);
    char folder[4096], next[4400];
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    struct dirent **entries = NULL;
    const int found =
        scandir(name == path ? "." : folder, &entries, opening_is_volume, versionsort);
    const int count = found > 0 ? found : 0;
    bool listed;
    const int to = opening_beside(entries, count, name, step, &listed);
    if (first) {
        viewer->opening.stepped_over = 0;
        viewer->opening.steps_left = (uint32_t)(count - listed);
    }
    struct problem problem;
    if (to < 0 || viewer->opening.steps_left == 0) {
        opening_no_neighbour(viewer, first);
    } else {
        snprintf(next, sizeof next, "%s%s", name == path ? "" : folder, entries[to]->d_name);
        if (opening_start(viewer, next, &problem)) {
            viewer->opening.stepping = step;
            viewer->opening.steps_left--;
        } else {
            viewer_complain(viewer, &problem);
        }
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

void opening_step(struct viewer *viewer, int step)
{
    if (viewer->opening.place) {
        opening_open_beside(viewer, step, true);
    } else {
        viewer_say(viewer, "The generated volume has no folder: open a file first.");
    }
}

// False when the problem must end the viewer; else it has been told.
static bool
opening_survive(struct viewer *viewer, const struct problem *why, struct problem *problem)
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
        viewer->nothing_opened = *why; // told in the window, and by the exit code once it is closed
    }
    if (cancelled && viewer->opening.loader) {
        return true; // another file that was chosen instead says it all
    }
    viewer_complain(viewer, why);
    if (viewer->document && viewer->document->in.blind) {
        viewer->schedule.has_tried = false; // it made way for nothing
    }
    if (why->kind == PROBLEM_INPUT && viewer->opening.stepping && !viewer->opening.loader) {
        viewer->opening.stepped_over++;
        opening_open_beside(viewer, viewer->opening.stepping, false);
    }
    return true;
}

bool opening_adopt(struct viewer *viewer, viewer_turn *turn, struct problem *problem)
{
    struct opening *opening = &viewer->opening;
    struct problem why = { 0 };
    struct loaded loaded = { 0 };
    struct loader *loader = opening->loader;
    if (!loader) {
        return true;
    }
    const enum loader_state state = loader_take(loader, &loaded, &why);
    if (state == LOADER_BUSY) {
        return true;
    }
    opening->loader = NULL; // while this one is uploaded the next may be started
    schedule_redraw(&viewer->schedule, 2);
    struct opening_upload upload = {
        .viewer = viewer,
        .turn = turn,
        .next = window_time() + UPLOAD_FRAME_SECONDS,
    };
    struct document *document = NULL;
    if (state == LOADER_DONE) {
        opening->uploading = loader;
        opening->cancelled = false;
        document = opening_bring(viewer, &upload, &loaded, &why);
        opening->uploading = NULL;
        loaded_destroy(&loaded);
    }
    loader_destroy(loader);
    if (document) {
        opening_show(viewer, document);
        return true;
    }
    if (upload.failed) {
        *problem = upload.problem;
        return false;
    }
    return viewer->schedule.quit || opening_survive(viewer, &why, problem);
}
