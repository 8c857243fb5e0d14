#include "app/viewer/files/exporter.h"

#include "app/viewer/window/window.h"
#include "compute/gpu/gpu.h"
#include "compute/mesh/mesh_writer.h"
#include "volumes/base/output.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct exporter {
    pthread_t thread;
    char *path;
    char placed[OUTPUT_PLACED];
    uint64_t triangles;
    struct mesh mesh;
    struct volume volume; // without samples: gives the mesh's position in the world
    _Atomic double share;
    atomic_bool cancelled;
    atomic_int state; // enum exporter_state; the thread sets it last
    struct problem problem;
};

static bool exporter_report(void *user, double share)
{
    struct exporter *exporter = user;
    atomic_store(&exporter->share, share);
    return !atomic_load(&exporter->cancelled) && !interrupted;
}

static bool exporter_write(struct exporter *exporter)
{
    const struct progress progress = { exporter_report, exporter };
    struct problem *problem = &exporter->problem;
    if (!mesh_canonicalize(&exporter->mesh, problem)) {
        return false;
    }
    const struct mesh_write_params params = {
        .volume = &exporter->volume,
        .progress = &progress,
        .placed = exporter->placed,
    };
    return mesh_write(&exporter->mesh, exporter->path, &params, problem);
}

static void *exporter_run(void *user)
{
    struct exporter *exporter = user;
    const bool fine = exporter_write(exporter);
    mesh_destroy(&exporter->mesh);
    atomic_store(&exporter->state, fine ? EXPORTER_DONE : EXPORTER_FAILED);
    window_wake();
    return NULL;
}

bool exporter_start(
    struct mesh *mesh, const struct volume *volume, const char *path, struct exporter **out,
    struct problem *problem)
{
    *out = NULL;
    struct exporter *exporter = calloc(1, sizeof *exporter);
    if (!exporter || !(exporter->path = strdup(path))) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory writing %s", path);
        goto fail;
    }
    exporter->mesh = *mesh;
    exporter->triangles = mesh->triangle_count;
    exporter->volume = *volume;
    exporter->volume.samples = NULL;
    atomic_store(&exporter->state, EXPORTER_BUSY);
    if (pthread_create(&exporter->thread, NULL, exporter_run, exporter) != 0) {
        problem_set(problem, PROBLEM_HOST_MEMORY, "no thread can be started to write %s", path);
        goto fail;
    }
    *mesh = (struct mesh){ 0 };
    *out = exporter;
    return true;
fail:
    mesh_destroy(mesh);
    if (exporter) {
        free(exporter->path);
    }
    free(exporter);
    return false;
}

void exporter_cancel(struct exporter *exporter)
{
    atomic_store(&exporter->cancelled, true);
}

void exporter_destroy(struct exporter *exporter)
{
    if (!exporter) {
        return;
    }
    exporter_cancel(exporter);
    pthread_join(exporter->thread, NULL);
    free(exporter->path);
    free(exporter);
}

const char *exporter_path(const struct exporter *exporter)
{
    const int state = atomic_load(&((struct exporter *)exporter)->state);
    return state == EXPORTER_DONE ? exporter->placed : exporter->path;
}

uint64_t exporter_triangles(const struct exporter *exporter)
{
    return exporter->triangles;
}

double exporter_share(const struct exporter *exporter)
{
    return atomic_load(&((struct exporter *)exporter)->share);
}

enum exporter_state exporter_look(const struct exporter *exporter, struct problem *problem)
{
    const enum exporter_state state =
        (enum exporter_state)atomic_load(&((struct exporter *)exporter)->state);
    if (state == EXPORTER_FAILED) {
        *problem = exporter->problem;
    }
    return state;
}
