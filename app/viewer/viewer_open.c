#include "app/viewer/viewer_state.h"

#include "app/base/notes.h"
#include "app/base/progress.h"
#include "app/cli/piecewise.h"
#include "volumes/base/printable.h"
#include "volumes/formats/raw_name.h"
#include "volumes/formats/readers.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void opened_destroy(struct gpu *gpu, struct opened *opened)
{
    if (!opened) {
        return;
    }
    surface_destroy(gpu, &opened->surfaces[0]);
    surface_destroy(gpu, &opened->surfaces[1]);
    if (opened->extraction) {
        extraction_destroy(opened->extraction);
    }
    atlas_destroy(gpu, &opened->atlas);
    viewer_uncut(gpu, opened);
    volume_destroy(&opened->volume);
    free(opened->path);
    free(opened);
}

// A volume on its way to the device. Meanwhile the window lives on with what it shows.
struct upload {
    struct viewer *viewer;
    struct loader *loader; // that read it
    double share;
    double next; // when the window is to be drawn again, in window_time
    bool cancelled;
    bool failed; // drawing did: the problem says why
    struct problem problem;
};

static const double UPLOAD_FRAME_SECONDS = 0.1;

// Takes in what the person does and now and then draws a frame; false ends the upload.
static bool live_on(void *user, double share)
{
    struct upload *upload = user;
    struct viewer *viewer = upload->viewer;
    upload->share = share;
    window_poll(0);
    viewer_input(viewer);
    if (window_time() >= upload->next && !upload->cancelled) {
        bool started;
        viewer_show(viewer);
        upload->failed = !frame_start(viewer, &started, &upload->problem) ||
                         !frame_finish(viewer, &upload->problem);
        upload->next = window_time() + UPLOAD_FRAME_SECONDS;
    }
    return !upload->failed && !upload->cancelled && !viewer->quit && !interrupted;
}

void viewer_cancel_loading(struct viewer *viewer)
{
    if (viewer->loader) {
        loader_cancel(viewer->loader);
    }
    if (viewer->upload) {
        viewer->upload->cancelled = true;
    }
}

void viewer_model_loading(const struct viewer *viewer, struct ui_model *model)
{
    const struct upload *upload = viewer->upload;
    const struct loader *loader = upload && !upload->cancelled ? upload->loader : viewer->loader;
    if (loader) {
        const char *path = loader_path(loader);
        model->loading = path ? last_part(path) : "the generated volume";
        model->uploading = loader != viewer->loader;
        model->loading_share = model->uploading ? upload->share : loader_share(loader);
    }
}

static bool same_path(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool viewer_open(struct viewer *viewer, const char *path, struct problem *problem)
{
    struct volume_params params = {
        .max_bytes = viewer->params->volume->max_bytes,
        .max_input = viewer->params->volume->max_input,
    };
    const bool as_told = same_path(path, viewer->params->path);
    if (as_told) {
        params = *viewer->params->volume;
    }
    struct loader *loader;
    const bool in_file = viewer->params->memory_budget > 0;
    if (!loader_start(path, &params, in_file, &loader, problem)) {
        return false;
    }
    viewer_cancel_loading(viewer);
    loader_destroy(viewer->loader);
    viewer->loader = loader;
    viewer->resuming = false;
    char *place = path ? strdup(path) : NULL;
    free(viewer->place);
    viewer->place = place;
    viewer->loading_as_told = as_told;
    viewer->stepping = 0;
    viewer->redraw = 2;
    return true;
}

static enum up up_for(const struct viewer *viewer, const struct volume *volume)
{
    return viewer->chosen.up_is_chosen ? viewer->chosen.up : up_of(volume);
}

// The whole volume to the device. Its samples in host memory are given up, unless a surface may
// become too much for a budget: then the way back to them stays.
static bool upload_all(
    struct viewer *viewer, struct upload *upload, struct opened *opened, struct problem *problem)
{
    const struct progress progress = { live_on, upload };
    const struct atlas_params params = {
        .progress = &progress,
        .source = opened->in.file.path ? &opened->in.source : NULL,
    };
    if (!atlas_create(&viewer->gpu, &opened->volume, &params, &opened->atlas, problem) ||
        !extraction_create(&viewer->gpu, &opened->atlas, &opened->extraction, problem)) {
        return false;
    }
    if (!viewer->params->memory_budget) {
        free(opened->volume.samples); // from here on they live on the device
        opened->volume.samples = NULL;
        volume_file_close(&opened->in.file);
    }
    return true;
}

static struct opened *
bring(struct viewer *viewer, struct upload *upload, struct loaded *loaded, struct problem *problem)
{
    const char *path = loader_path(upload->loader);
    struct opened *opened = calloc(1, sizeof *opened);
    if (!opened || (path && !(opened->path = strdup(path)))) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening a volume");
        goto fail;
    }
    opened->volume = loaded->volume;
    opened->facts = loaded->facts;
    opened->in.file = loaded->file;
    opened->in.ranges = loaded->ranges;
    *loaded = (struct loaded){ 0 };
    opened->name = path ? last_part(opened->path) : "generated volume";
    placement_of(&opened->volume, up_for(viewer, &opened->volume), &opened->placement);
    opened->in.source = piecewise_source(&opened->in.file);
    if (viewer->opened && viewer->opened->in.slabs) {
        slabs_release(viewer->opened->in.slabs); // what is shown needs them no more
    }
    bool larger;
    if (!viewer_is_larger(viewer, opened, &larger, problem) ||
        !(larger ? viewer_cut(viewer, opened, problem)
                 : upload_all(viewer, upload, opened, problem))) {
        goto fail;
    }
    notes_warn(&opened->volume);
    if (viewer->params->verbose) {
        notes_volume(path, &opened->volume, loader_ms(upload->loader));
        if (!larger) {
            notes_atlas(&opened->atlas);
        }
    }
    return opened;
fail:
    opened_destroy(&viewer->gpu, opened);
    if (viewer->opened) {
        viewer->gpu.budget.reserve[PURPOSE_PICTURE] =
            viewer->opened->reserve; // what is shown was planned with
    }
    return NULL;
}

// An error was about what came before: it goes, and of files on the way a word fades.
static void take_back(struct viewer *viewer)
{
    char last[sizeof viewer->message];
    memcpy(last, viewer->message, sizeof last);
    if (!viewer->stepping || viewer->stepped_over == 0) {
        viewer_unsay(viewer);
    } else if (viewer->stepped_over == 1) {
        viewer_say(viewer, "Stepped over: %s", last);
    } else {
        viewer_say(
            viewer, "Stepped over %u files that cannot be read. The last one: %s",
            viewer->stepped_over, last);
    }
}

// What changes for the person when another volume is there.
static void show(struct viewer *viewer, struct opened *opened)
{
    const struct opened *old = viewer->opened;
    const bool again = viewer->resuming || (old && same_path(old->path, opened->path));
    viewer->resuming = false;
    if (viewer->message_is_error) {
        take_back(viewer);
    }
    if (!again) {
        viewer->chosen.iso_is_auto = true;
        if (viewer->loading_as_told) {
            viewer->chosen.iso = isovalue_resolve(&viewer->params->iso, &opened->facts);
            viewer->chosen.iso_is_auto = viewer->params->iso.kind == ISOVALUE_AUTO;
        }
        viewer->sweeping = false;
    }
    if (viewer->chosen.iso_is_auto) {
        viewer->chosen.iso = opened->facts.iso;
    }
    opened_destroy(&viewer->gpu, viewer->opened);
    viewer->opened = opened;
    viewer->nothing_opened.kind = PROBLEM_NONE;
    viewer->export_due = false; // it was for the one before
    viewer->chosen.up = up_for(viewer, &opened->volume);
    const struct method *wanted = viewer->chosen.method;
    const char *refused = viewer_refuses(viewer, wanted);
    if (refused && viewer_next_method(viewer, +1)) {
        viewer_say(
            viewer, "%s cannot run on this volume: %s. Now it is %s.", wanted->name, refused,
            viewer->chosen.method->name);
    }
    viewer->tried = false;
    viewer->history_count = 0;
    const VkRect2D area = viewer_area(viewer);
    if (!again) {
        camera_reset(
            &viewer->chosen.camera, opened->placement.corners, (float)area.extent.width,
            (float)area.extent.height);
    }
    char name[1100], title[1200]; // a file's name has up to 255 bytes
    printable_copy(opened->name, name, sizeof name);
    snprintf(title, sizeof title, "%s - cubist", name);
    window_set_title(viewer->window, title);
    viewer_redraw(viewer);
}

// By the name alone: what is none after all is stepped over. A raw file whose name states no size,
// and the image of a pair, are opened through the header that stands beside them.
static int is_volume(const struct dirent *entry)
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
static int beside(struct dirent **entries, int count, const char *name, int step, bool *listed)
{
    int at = 0;
    while (at < count && strverscmp(entries[at]->d_name, name) < 0) {
        at++;
    }
    *listed = at < count && strcmp(entries[at]->d_name, name) == 0;
    return count > 0 ? (at + (step > 0 && !*listed ? 0 : step) + count) % count : -1;
}

static void no_neighbour(struct viewer *viewer, bool first)
{
    struct problem problem;
    if (first) {
        viewer_say(viewer, "There is no other volume in the folder.");
        return;
    }
    problem_set(
        &problem, PROBLEM_INPUT, "No other file in the folder can be read. The last one: %s",
        viewer->message);
    viewer_complain(viewer, &problem);
    const struct opened *opened = viewer->opened;
    char *place = opened && opened->path ? strdup(opened->path) : NULL;
    if (place) {
        free(viewer->place);
        viewer->place = place;
    }
}

// Starts on the file beside the last one that was tried.
static void open_neighbour(struct viewer *viewer, int step, bool first)
{
    const char *path = viewer->place;
    const char *name = last_part(path);
    char folder[4096], next[4400];
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    struct dirent **entries = NULL;
    const int found = scandir(name == path ? "." : folder, &entries, is_volume, versionsort);
    const int count = found > 0 ? found : 0;
    bool listed;
    const int to = beside(entries, count, name, step, &listed);
    if (first) {
        viewer->stepped_over = 0;
        viewer->steps_left = (uint32_t)(count - listed);
    }
    struct problem problem;
    if (to < 0 || viewer->steps_left == 0) {
        no_neighbour(viewer, first);
    } else {
        snprintf(next, sizeof next, "%s%s", name == path ? "" : folder, entries[to]->d_name);
        if (viewer_open(viewer, next, &problem)) {
            viewer->stepping = step;
            viewer->steps_left--;
        } else {
            viewer_complain(viewer, &problem);
        }
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

void viewer_open_neighbour(struct viewer *viewer, int step)
{
    if (viewer->place) {
        open_neighbour(viewer, step, true);
    } else {
        viewer_say(viewer, "The generated volume has no folder: open a file first.");
    }
}

// False when the problem must end the viewer; else it has been told.
static bool survive(struct viewer *viewer, const struct problem *why, struct problem *problem)
{
    const bool cancelled = why->kind == PROBLEM_INTERRUPTED;
    const bool first = !viewer->opened && !cancelled;
    const bool for_people =
        why->kind != PROBLEM_USAGE && why->kind != PROBLEM_INTERNAL && !viewer->params->exit_after;
    if (interrupted || viewer->gpu.lost || (first && !for_people)) {
        *problem = *why;
        return false;
    }
    if (first) {
        viewer->nothing_opened = *why; // told in the window, and by the exit code once it is closed
    }
    if (cancelled && viewer->loader) {
        return true; // another file that was chosen instead says it all
    }
    viewer_complain(viewer, why);
    if (viewer->opened && viewer->opened->in.blind) {
        viewer->tried = false; // it made way for nothing
    }
    if (why->kind == PROBLEM_INPUT && viewer->stepping && !viewer->loader) {
        viewer->stepped_over++;
        open_neighbour(viewer, viewer->stepping, false);
    }
    return true;
}

bool viewer_adopt(struct viewer *viewer, struct problem *problem)
{
    struct problem why = { 0 };
    struct loaded loaded = { 0 };
    struct loader *loader = viewer->loader;
    if (!loader) {
        return true;
    }
    const enum loader_state state = loader_take(loader, &loaded, &why);
    if (state == LOADER_BUSY) {
        return true;
    }
    viewer->loader = NULL; // while this one is uploaded the next may be started
    viewer->redraw = 2;
    struct upload upload = {
        .viewer = viewer,
        .loader = loader,
        .next = window_time() + UPLOAD_FRAME_SECONDS,
    };
    struct opened *opened = NULL;
    if (state == LOADER_DONE) {
        viewer->upload = &upload;
        opened = bring(viewer, &upload, &loaded, &why);
        viewer->upload = NULL;
        loaded_destroy(&loaded);
    }
    loader_destroy(loader);
    if (opened) {
        show(viewer, opened);
        return true;
    }
    if (upload.failed) {
        *problem = upload.problem;
        return false;
    }
    return viewer->quit || survive(viewer, &why, problem);
}
