#include "app/viewer/viewer_state.h"

#include "app/base/target.h"
#include "app/picture/scene_save.h"
#include "volumes/base/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// "bonsai_256x256x256_uint8.raw" -> "bonsai_256x256x256_uint8"
static void stem(const struct opened *opened, char *out, size_t size)
{
    const char *name = opened->path ? opened->name : "cubist";
    size_t length = strcspn(name, "/");
    const char *raw = strstr(name, ".raw");
    const char *dot = raw ? raw : strrchr(name, '.');
    if (dot && dot > name) {
        length = (size_t)(dot - name);
    }
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), name);
}

void viewer_screenshot(struct viewer *viewer, bool transparent)
{
    if (viewer->opened->in.blind) {
        viewer_say(
            viewer, "The surface had to make room: there is only its picture in the window.");
        return;
    }
    char name[200], numbered[256], path[OUTPUT_PLACED], placed[OUTPUT_PLACED];
    stem(viewer->opened, name, sizeof name);
    int number = 1;
    do {
        snprintf(numbered, sizeof numbered, "%s-%d.png", name, number++);
    } while (access(numbered, F_OK) == 0 && number < 100000);
    target_here(numbered, path, sizeof path);

    struct problem problem;
    const struct opened *opened = viewer->opened;
    const struct scene scene = {
        .camera = &viewer->chosen.camera,
        .placement = &opened->placement,
        .surface = opened->in.slabs     ? opened->in.shown.list
                   : opened->has_result ? &opened->surfaces[opened->shown]
                                        : NULL,
        .further = opened->in.shown.count - (opened->in.shown.count > 0),
        .area = viewer_area(viewer),
        .transparent = transparent,
        .wireframe = viewer->chosen.wireframe,
        .edges = viewer->chosen.edges,
        .box = viewer->chosen.box,
    };
    bool fine;
    do {
        fine = scene_save(&viewer->gpu, &viewer->renderer, &scene, path, placed, &problem);
    } while (!fine && problem.kind == PROBLEM_DEVICE_MEMORY && viewer_make_room(viewer));
    if (fine) {
        viewer_say(
            viewer, "Wrote %s (%ux%u)", placed, scene.area.extent.width, scene.area.extent.height);
    } else {
        viewer_complain(viewer, &problem);
    }
}

static bool exportable(struct viewer *viewer, char path[OUTPUT_PLACED])
{
    const struct opened *opened = viewer->opened;
    if (!opened->has_result || opened->result.triangles == 0) {
        viewer_say(viewer, "There is no surface to export at this isovalue.");
        return false;
    }
    char name[200], file[256];
    stem(opened, name, sizeof name);
    snprintf(file, sizeof file, "%s.ply", name);
    target_here(file, path, OUTPUT_PLACED);
    return true;
}

void viewer_export_soon(struct viewer *viewer)
{
    char path[OUTPUT_PLACED];
    if (viewer->exporter) {
        viewer_say(viewer, "%s is still being written.", exporter_path(viewer->exporter));
    } else if (exportable(viewer, path)) {
        viewer->export_due = true;
        viewer->export_awaits = frame_due(viewer);
    }
}

// Only reading the mesh back needs the device, and so the window's thread.
static void start_export(struct viewer *viewer)
{
    struct opened *opened = viewer->opened;
    struct problem problem;
    struct mesh mesh = { 0 };
    char path[OUTPUT_PLACED];
    viewer->export_due = false;
    if (viewer->export_awaits && viewer->surface_refused) {
        return; // which has been said
    }
    if (!exportable(viewer, path)) {
        return;
    }
    const bool fine = opened->in.slabs ? viewer_join(viewer, &mesh, &problem)
                                       : extraction_fetch(
                                             opened->extraction, &opened->surfaces[opened->shown],
                                             &opened->result, &mesh, &problem);
    if (!fine || !exporter_start(&mesh, &opened->volume, path, &viewer->exporter, &problem)) {
        viewer_complain(viewer, &problem);
    }
    viewer->redraw = 2;
}

// A step asked for before the export comes before it, as many frames as it takes to have the room.
static bool surface_is_current(const struct viewer *viewer)
{
    const bool hidden = viewer->hidden && !viewer->opened->in.slabs; // slabs need no window
    return !frame_due(viewer) || hidden || viewer->sweeping;
}

bool viewer_export(struct viewer *viewer, struct problem *problem)
{
    if (viewer->export_due && !viewer->exporter && surface_is_current(viewer)) {
        start_export(viewer);
    }
    struct problem why = { 0 };
    struct exporter *exporter = viewer->exporter;
    const enum exporter_state state = exporter ? exporter_look(exporter, &why) : EXPORTER_BUSY;
    if (state == EXPORTER_BUSY) {
        return true;
    }
    const char *path = exporter_path(exporter);
    const bool cancelled = why.kind == PROBLEM_INTERRUPTED;
    const bool fatal = state == EXPORTER_FAILED && !cancelled && viewer->quit;
    if (state == EXPORTER_DONE) {
        viewer_say(
            viewer, "Wrote %s: %llu triangles", path,
            (unsigned long long)exporter_triangles(exporter));
    } else if (cancelled) {
        viewer_say(viewer, "%s was not written: cancelled.", path);
    } else if (fatal) {
        *problem = why; // there is no window any more to say it in
    } else {
        viewer_complain(viewer, &why);
    }
    exporter_destroy(exporter);
    viewer->exporter = NULL;
    return !fatal;
}

void viewer_model_export(const struct viewer *viewer, struct ui_model *model)
{
    if (viewer->exporter) {
        model->exporting = exporter_path(viewer->exporter);
        model->exporting_share = exporter_share(viewer->exporter);
    }
}
