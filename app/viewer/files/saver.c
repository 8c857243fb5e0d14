#include "app/viewer/files/saver.h"

#include "app/base/target.h"
#include "app/picture/bands.h"
#include "app/picture/listed.h"
#include "app/picture/render_line.h"
#include "app/picture/scene_save.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surface_work.h"
#include "volumes/base/output.h"

#include <stdlib.h>
#include <string.h>

// "bonsai_256x256x256_uint8.raw" -> "bonsai_256x256x256_uint8"
void saver_stem(const struct document *document, char *out, size_t size)
{
    const char *name = document->path ? document->name : "cubist";
    size_t length = strcspn(name, "/");
    const char *raw = strstr(name, ".raw");
    const char *dot = raw ? raw : strrchr(name, '.');
    if (dot && dot > name) {
        length = (size_t)(dot - name);
    }
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), name);
}

// The number of times that was asked for, or less where the window has grown since.
static VkExtent2D saver_size(const struct viewer *viewer)
{
    const VkExtent2D size = viewer_area(viewer).extent;
    const uint32_t times = bands_times(size.width, size.height, viewer->settings.enlarged);
    return (VkExtent2D){ size.width * times, size.height * times };
}

void saver_copy_line(struct viewer *viewer)
{
    const struct document *document = viewer->document;
    if (document->path && strcmp(document->path, "-") == 0) {
        viewer_say(viewer, "The volume came from standard input: no command can read it again.");
        return;
    }
    char name[200], output[256];
    saver_stem(document, name, sizeof name);
    snprintf(output, sizeof output, "%s%s.png", *name == '-' ? "./" : "", name);
    const VkExtent2D size = saver_size(viewer);
    struct extraction_lists lists;
    const bool listed = document_lists(document, &lists);
    struct view view = viewer->settings.view;
    view.show = listed_shows(&view, listed ? &lists : NULL); // as in the window
    const struct render_line line = {
        .method = listed ? lists.method->name : NULL,
        .path = document->path,
        .volume = &document->params,
        .view = &view,
        .placement = &document->placement,
        .device = viewer->params->device,
        .width = size.width,
        .height = size.height,
        .output = output,
    };
    char *text = render_line_text(&line);
    if (!text) {
        viewer_say(viewer, "Out of memory for the command.");
        return;
    }
    window_copy(viewer->screen.window, text);
    viewer_say(viewer, "Copied: %s", text);
    if (viewer->params->verbose) {
        fprintf(stderr, "cubist: copied: %s\n", text);
    }
    free(text);
}

// Ends what works on the parts of a volume between frames. It begins again after the picture.
// False: a mesh is being made for a file; a message says so.
static bool saver_take_parts(struct viewer *viewer)
{
    if (viewer_situation(viewer).joining) {
        viewer_say(viewer, "%s is still being written.", viewer->saving.path);
        return false;
    }
    if (viewer->casts.parts.pass.parts) {
        casts_end(viewer);
        viewer_redraw(viewer);
    }
    surface_work_end(viewer);
    return true;
}

// Rays for a file's picture: the window's, if there is room for a band, else its `own`.
static bool saver_make_rays(
    struct viewer *viewer, VkExtent2D size, struct casting *own, struct scene *scene,
    struct view *view, struct problem *problem)
{
    const struct bands bands = bands_of(size.width, size.height);
    const uint32_t rays = cast_bordered(bands.columns, bands.rows);
    const bool enough = viewer_casts(viewer) && viewer->casts.caster == view_caster(view) &&
                        viewer->casts.casting.pixels >= rays;
    scene->casting = enough ? &viewer->casts.casting : own;
    view->caster = enough ? view->caster : NULL;
    view->method = enough ? viewer->casts.prepared : NULL;
    if (enough || own->gpu) {
        return !view->shadow || casting_prepare_shadow(scene->casting, problem);
    }
    // Every caster finds the same hits: the default one needs the least memory.
    return casts_create(viewer, caster_default(), rays, own, problem) &&
           casting_prepare(own, caster_default(), NULL, problem) &&
           (!view->shadow || casting_prepare_shadow(own, problem));
}

void saver_screenshot(struct viewer *viewer, bool transparent)
{
    const bool rays = viewer->settings.view.draw == DRAW_RAYS;
    if (rays && !saver_take_parts(viewer)) {
        return;
    }
    if (document_has_dropped(viewer->document) && !rays) {
        viewer_say(
            viewer,
            "The surface was dropped to free memory, and only its picture in the window is left: "
            "%s; or write a picture with cubist render.",
            picture_memory_advice(viewer));
        return;
    }
    char name[200], file[256], path[OUTPUT_PLACED], placed[OUTPUT_PLACED];
    saver_stem(viewer->document, name, sizeof name);
    snprintf(file, sizeof file, "%s.png", name);
    target_here(file, path, sizeof path);

    struct problem problem;
    const VkExtent2D size = saver_size(viewer);
    struct view view = viewer->settings.view;
    view.background = transparent ? BACKGROUND_TRANSPARENT : view.background;
    struct scene scene = {
        .view = &view,
        .placement = &viewer->document->placement,
        .for_file = true,
        .parts = viewer->document->parts,
        .light = { &viewer->document->cubes, rays ? view.iso : viewer->document->result.iso },
    };
    struct casting own = { 0 };
    struct renderer *renderer = &viewer->screen.renderer;
    const bool lit = view.light == LIGHT_OCCLUSION;
    scene.surface = document_shown(viewer->document, &scene.further);
    struct extraction_lists lists;
    scene.lists = document_lists(viewer->document, &lists) ? &lists : NULL;
    bool fine, coarsened = false;
    do {
        fine = (!rays || saver_make_rays(viewer, size, &own, &scene, &view, &problem)) &&
               (!lit || light_fit(&viewer->gpu, &renderer->light, scene.light.cubes, &problem)) &&
               scene_save(
                   &viewer->gpu, renderer, &scene, size.width, size.height, path, placed, &problem);
    } while (!fine && problem.kind == PROBLEM_DEVICE_MEMORY &&
             (picture_memory_make(viewer) || (coarsened = picture_memory_coarsen(viewer))));
    if (scene.casting == &viewer->casts.casting) {
        casts_forget(viewer);
    }
    casting_destroy(&own);
    if (coarsened) {
        picture_memory_refine(viewer); // it was coarse only for the file's picture to have room
    }
    if (fine) {
        viewer_say(viewer, "Wrote %s (%ux%u)", placed, size.width, size.height);
    } else if (problem.kind == PROBLEM_DEVICE_MEMORY) {
        struct problem shown;
        problem_set(
            &shown, problem.kind,
            "There is no memory to draw the picture again for a file (%s): %s; or write it with "
            "cubist render.",
            problem.text, picture_memory_advice(viewer));
        viewer_complain(viewer, &shown);
    } else {
        viewer_complain(viewer, &problem);
    }
}

static bool saver_exportable(struct viewer *viewer)
{
    const struct document *document = viewer->document;
    const struct view *view = &viewer->settings.view;
    if (view->draw == DRAW_RAYS && viewer->schedule.refused) {
        viewer_say(
            viewer, "The mesh of this isovalue does not fit the device: it is not exported.");
        return false;
    }
    if (view->draw == DRAW_RAYS && document->result.iso != view->iso) {
        viewer_say(viewer, "The mesh of this isovalue has not been made yet.");
        return false;
    }
    if (!document->has_result || document->result.triangles == 0) {
        viewer_say(viewer, "There is no surface to export at this isovalue.");
        return false;
    }
    return true;
}

static bool saver_awaits(const struct viewer *viewer)
{
    return viewer_situation(viewer).surface.runs || viewer_wants_surface(viewer);
}

bool saver_can_export(struct viewer *viewer)
{
    const struct situation at = viewer_situation(viewer);
    if (at.joining || viewer->saving.has_mesh || viewer->schedule.export_due) {
        viewer_say(viewer, "%s is still being written.", viewer->saving.path);
        return false;
    }
    return saver_awaits(viewer) || saver_exportable(viewer);
}

void saver_export_soon(struct viewer *viewer, const char *path)
{
    if (saver_can_export(viewer)) {
        const bool awaits = saver_awaits(viewer);
        snprintf(viewer->saving.path, sizeof viewer->saving.path, "%s", path);
        schedule_export(&viewer->schedule, awaits);
        if (awaits) {
            surface_work_say_awaited(viewer, path);
        }
    }
}

// Passes the mesh to a thread.
static void saver_write(struct viewer *viewer, struct mesh *mesh)
{
    struct problem problem;
    struct saver *saving = &viewer->saving;
    if (!exporter_start(
            mesh, &viewer->document->volume, saving->path, &saving->exporter, &problem)) {
        viewer_complain(viewer, &problem);
    }
    schedule_redraw(&viewer->schedule, 2);
}

bool saver_go_on(struct viewer *viewer, bool exports, struct problem *problem)
{
    struct saver *saving = &viewer->saving;
    // Otherwise a message has said why there is no surface.
    if (exports && schedule_begin_export(&viewer->schedule) && saver_exportable(viewer)) {
        surface_work_begin_mesh(viewer);
    }
    // Only reading the mesh back needs the device, so only that runs on the window's thread.
    if (saving->has_mesh) {
        struct mesh mesh = saving->mesh;
        saving->has_mesh = false;
        saver_write(viewer, &mesh);
    }
    struct problem why = { 0 };
    struct exporter *exporter = viewer->saving.exporter;
    const enum exporter_state state = exporter ? exporter_look(exporter, &why) : EXPORTER_BUSY;
    if (state == EXPORTER_BUSY) {
        return true;
    }
    const char *path = exporter_path(exporter);
    const bool cancelled = why.kind == PROBLEM_INTERRUPTED;
    const bool fatal = state == EXPORTER_FAILED && !cancelled && viewer->schedule.quit;
    if (state == EXPORTER_DONE) {
        viewer_say(
            viewer, "Wrote %s: %llu triangles", path,
            (unsigned long long)exporter_triangles(exporter));
    } else if (cancelled) {
        viewer_say(viewer, "%s was not written: cancelled.", path);
    } else if (fatal) {
        *problem = why; // there is no window left to show it in
    } else {
        viewer_complain(viewer, &why);
    }
    exporter_destroy(exporter);
    viewer->saving.exporter = NULL;
    return !fatal;
}
