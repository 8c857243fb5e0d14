#include "app/viewer/files/saver.h"

#include "app/base/target.h"
#include "app/picture/bands.h"
#include "app/picture/listed.h"
#include "app/picture/render_line.h"
#include "app/picture/scene_save.h"
#include "app/settings/table.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surface_work.h"
#include "volumes/base/output.h"

#include <stdlib.h>
#include <string.h>

// The size of a screenshot: enlarged as the person asked, or less if the window has grown since.
static VkExtent2D saver_size(const struct files *files)
{
    const VkExtent2D size = files->works->area.extent;
    const uint32_t times = bands_times(size.width, size.height, files->settings->enlarged);
    return (VkExtent2D){ size.width * times, size.height * times };
}

void saver_copy_line(struct files *files)
{
    const struct document *document = files->works->document;
    if (document->path && strcmp(document->path, "-") == 0) {
        message_say(
            files->message, "The volume came from standard input: no command can read it again.");
        return;
    }
    char name[200], output[256];
    document_stem(document, name, sizeof name);
    snprintf(output, sizeof output, "%s%s.png", *name == '-' ? "./" : "", name);
    const VkExtent2D size = saver_size(files);
    struct extraction_lists lists;
    const bool listed = document_lists(document, &lists);
    struct view view = files->settings->view;
    view.show = listed_shows(&view, listed ? &lists : NULL); // as in the window
    const struct render_line line = {
        .method = listed ? lists.method->name : NULL,
        .path = document->path,
        .volume = &document->params,
        .view = &view,
        .placement = &document->placement,
        .device = files->params->device,
        .width = size.width,
        .height = size.height,
        .output = output,
    };
    char *text = render_line_text(&line);
    if (!text) {
        message_say(files->message, "Out of memory for the command.");
        return;
    }
    window_copy(files->window, text);
    message_say(files->message, "Copied: %s", text);
    if (files->params->verbose) {
        fprintf(stderr, "cubist: copied: %s\n", text);
    }
    free(text);
}

// Ends the cast or the extraction between frames. It begins again after the picture is written.
// False: a mesh is being made for a file; a message says so.
static bool saver_take_parts(struct files *files)
{
    if (surface_work_joins(files->works)) {
        message_say(files->message, "%s is still being written.", files->saver.path);
        return false;
    }
    if (files->works->pass) {
        casts_end(files->works);
        works_redraw(files->works);
    }
    surface_work_end(files->works);
    return true;
}

void saver_screenshot(struct files *files, bool transparent)
{
    const bool rays = files->settings->view.draw == DRAW_RAYS;
    if (rays && !saver_take_parts(files)) {
        return;
    }
    if (document_has_dropped(files->works->document) && !rays) {
        message_say(
            files->message,
            "The surface was dropped to free memory, and only its picture in the window is left: "
            "%s; or write a picture with cubist render.",
            picture_memory_advice(files->works));
        return;
    }
    char name[200], file[256], path[OUTPUT_PLACED], placed[OUTPUT_PLACED];
    document_stem(files->works->document, name, sizeof name);
    snprintf(file, sizeof file, "%s.png", name);
    target_here(file, path, sizeof path);

    struct problem problem;
    const VkExtent2D size = saver_size(files);
    struct view view = files->settings->view;
    view_drop_unused(&view);
    view.background = transparent ? BACKGROUND_TRANSPARENT : view.background;
    struct scene scene = {
        .view = &view,
        .placement = &files->works->document->placement,
        .for_file = true,
        .parts = files->works->document->parts,
    };
    struct casting own = { 0 };
    struct renderer *renderer = &files->works->display.renderer;
    const bool lit = view.light == LIGHT_OCCLUSION;
    works_scene(files->works, &scene);
    struct extraction_lists lists;
    scene.lists = document_lists(files->works->document, &lists) ? &lists : NULL;
    scene_set_light(&scene, &files->works->document->cubes);
    bool fine, coarsened = false;
    do {
        fine = (!rays || casts_for_file(files->works, size, &own, &scene, &view, &problem)) &&
               (!lit || !scene.light.cubes ||
                light_fit(files->works->gpu, &renderer->light, scene.light.cubes, &problem)) &&
               scene_save(
                   files->works->gpu, renderer, &scene, size.width, size.height, path, placed,
                   &problem);
    } while (
        !fine && problem.kind == PROBLEM_DEVICE_MEMORY &&
        (picture_memory_make(files->works) || (coarsened = picture_memory_coarsen(files->works))));
    casts_end_for_file(files->works, &own, &scene);
    if (coarsened) {
        picture_memory_refine(
            files->works); // it was coarse only to free memory for the file's picture
    }
    if (fine) {
        message_say(files->message, "Wrote %s (%ux%u)", placed, size.width, size.height);
    } else if (problem.kind == PROBLEM_DEVICE_MEMORY) {
        struct problem shown;
        problem_set(
            &shown, problem.kind,
            "There is no memory to draw the picture again for a file (%s): %s; or write it with "
            "cubist render.",
            problem.text, picture_memory_advice(files->works));
        message_complain(files->message, &shown, ABOUT_OTHERS);
    } else {
        message_complain(files->message, &problem, ABOUT_OTHERS);
    }
}

static bool saver_exportable(struct files *files)
{
    const struct document *document = files->works->document;
    const struct view *view = &files->settings->view;
    if (view->draw == DRAW_RAYS && files->works->schedule->contours[view->contour].refused) {
        message_say(
            files->message,
            "The mesh of this isovalue does not fit the device: it is not exported.");
        return false;
    }
    if (view->draw == DRAW_RAYS && document->shown->result.iso != view->isos[view->contour]) {
        message_say(files->message, "The mesh of this isovalue has not been made yet.");
        return false;
    }
    if (!document->shown->has_result || document->shown->result.triangles == 0) {
        message_say(files->message, "There is no surface to export at this isovalue.");
        return false;
    }
    return true;
}

static bool saver_awaits(const struct files *files)
{
    return files->works->extract || works_wants_surface(files->works);
}

bool saver_can_export(struct files *files)
{
    if (surface_work_joins(files->works) || files->works->has_mesh ||
        files->works->schedule->export_due) {
        message_say(files->message, "%s is still being written.", files->saver.path);
        return false;
    }
    return saver_awaits(files) || saver_exportable(files);
}

void saver_export_soon(struct files *files, const char *path)
{
    if (saver_can_export(files)) {
        const bool awaits = saver_awaits(files);
        snprintf(files->saver.path, sizeof files->saver.path, "%s", path);
        schedule_export(files->works->schedule, awaits);
        if (awaits) {
            surface_work_say_awaited(files->works, path);
        }
    }
}

// Passes the mesh to the exporter's thread.
static void saver_write(struct files *files, struct mesh *mesh)
{
    struct problem problem;
    struct saver *saving = &files->saver;
    if (!exporter_start(
            mesh, &files->works->document->volume, saving->path, &saving->exporter, &problem)) {
        message_complain(files->message, &problem, ABOUT_OTHERS);
    }
    schedule_redraw(files->works->schedule, 2);
}

bool saver_go_on(struct files *files, bool exports, struct problem *problem)
{
    // If the export does not begin, a message has said why there is no surface.
    const uint32_t contour = files->settings->view.contour;
    if (exports && schedule_begin_export(files->works->schedule, contour) &&
        saver_exportable(files)) {
        surface_work_begin_mesh(files->works);
    }
    // Only reading the mesh back needs the device. The rest runs in the exporter's thread.
    if (files->works->has_mesh) {
        struct mesh mesh = files->works->mesh;
        files->works->has_mesh = false;
        saver_write(files, &mesh);
    }
    struct problem why = { 0 };
    struct exporter *exporter = files->saver.exporter;
    const enum exporter_state state = exporter ? exporter_look(exporter, &why) : EXPORTER_BUSY;
    if (state == EXPORTER_BUSY) {
        return true;
    }
    const char *path = exporter_path(exporter);
    const bool cancelled = why.kind == PROBLEM_INTERRUPTED;
    const bool fatal = state == EXPORTER_FAILED && !cancelled && files->works->schedule->quit;
    if (state == EXPORTER_DONE) {
        message_say(
            files->message, "Wrote %s: %llu triangles", path,
            (unsigned long long)exporter_triangles(exporter));
    } else if (cancelled) {
        message_say(files->message, "%s was not written: cancelled.", path);
    } else if (fatal) {
        *problem = why; // there is no window left to show it in
    } else {
        message_complain(files->message, &why, ABOUT_OTHERS);
    }
    exporter_destroy(exporter);
    files->saver.exporter = NULL;
    return !fatal;
}
