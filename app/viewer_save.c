#include "app/viewer_state.h"

#include "app/scene_save.h"
#include "compute/mesh_formats.h"

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
    char name[200], path[256];
    stem(viewer->opened, name, sizeof name);
    int number = 1;
    do {
        snprintf(path, sizeof path, "%s-%d.png", name, number++);
    } while (access(path, F_OK) == 0 && number < 100000);

    struct problem problem;
    const struct opened *opened = viewer->opened;
    const struct scene scene = {
        .camera = &viewer->chosen.camera,
        .placement = &opened->placement,
        .surface = opened->has_result ? &opened->surfaces[opened->shown] : NULL,
        .area = viewer_area(viewer),
        .transparent = transparent,
        .wireframe = viewer->chosen.wireframe,
        .edges = viewer->chosen.edges,
        .box = viewer->chosen.box,
    };
    if (scene_save(&viewer->gpu, &viewer->renderer, &scene, path, &problem)) {
        viewer_say(
            viewer, "Wrote %s (%ux%u)", path, scene.area.extent.width, scene.area.extent.height);
    } else {
        viewer_complain(viewer, &problem);
    }
}

static bool exportable(struct viewer *viewer, char path[256])
{
    const struct opened *opened = viewer->opened;
    if (!opened->has_result || opened->result.triangles == 0) {
        viewer_say(viewer, "There is no surface to export at this isovalue.");
        return false;
    }
    char name[200];
    stem(opened, name, sizeof name);
    snprintf(path, 256, "%s.ply", name);
    return true;
}

void viewer_export_soon(struct viewer *viewer)
{
    char path[256];
    if (exportable(viewer, path)) {
        viewer_say(
            viewer, "Writing %s: %llu triangles ...", path,
            (unsigned long long)viewer->opened->result.triangles);
        viewer->export_in = 2;
    }
}

void viewer_export(struct viewer *viewer)
{
    struct opened *opened = viewer->opened;
    char path[256];
    if (!exportable(viewer, path)) {
        return;
    }
    struct problem problem;
    struct mesh mesh = { 0 };
    const bool fine = extraction_download(
        opened->extraction, &opened->surfaces[opened->shown], &opened->result, &mesh, &problem);
    if (fine) {
        mesh_to_world(&mesh, &opened->volume);
    }
    const struct mesh_write_params params = { .frame = opened->volume.frame };
    if (fine && mesh_write(&mesh, path, &params, &problem)) {
        viewer_say(
            viewer, "Wrote %s: %llu triangles", path, (unsigned long long)mesh.triangle_count);
    } else {
        viewer_complain(viewer, &problem);
    }
    mesh_destroy(&mesh);
}
