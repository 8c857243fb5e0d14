#include "app/viewer_load.h"

#include "app/progress.h"
#include "app/window.h"
#include "compute/gpu/gpu.h"
#include "volumes/generate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct loader {
    pthread_t thread;
    char *path;
    struct volume_params params;
    struct progress progress;
    double ms; // that reading took
    _Atomic double share;
    atomic_bool cancelled;
    atomic_int state; // enum loader_state; the thread's last word
    struct volume volume;
    struct volume_facts facts;
    struct problem problem;
};

static bool report(void *user, double share)
{
    struct loader *loader = user;
    atomic_store(&loader->share, share);
    return !atomic_load(&loader->cancelled) && !gpu_interrupted;
}

static bool load(struct loader *loader)
{
    if (!loader->path) {
        return volume_generate_default(&loader->volume, &loader->problem);
    }
    return volume_read(loader->path, &loader->params, &loader->volume, &loader->problem);
}

static void *run(void *user)
{
    struct loader *loader = user;
    const double start = clock_ms();
    bool fine = load(loader);
    loader->ms = clock_ms() - start;
    if (fine) {
        volume_facts(&loader->volume, &loader->facts);
    }
    if (fine && atomic_load(&loader->cancelled)) {
        volume_destroy(&loader->volume);
        fine = problem_set(&loader->problem, PROBLEM_CANCELLED, "loading was cancelled");
    }
    atomic_store(&loader->state, fine ? LOADER_DONE : LOADER_FAILED);
    window_wake();
    return NULL;
}

bool loader_start(
    const char *path, const struct volume_params *params, struct loader **out,
    struct problem *problem)
{
    *out = NULL;
    struct loader *loader = calloc(1, sizeof *loader);
    if (!loader || (path && !(loader->path = strdup(path)))) {
        free(loader);
        return problem_set(
            problem, PROBLEM_DEVICE, "out of memory opening %s", path ? path : "the volume");
    }
    loader->params = *params;
    loader->progress = (struct progress){ report, loader };
    loader->params.progress = &loader->progress;
    atomic_store(&loader->state, LOADER_BUSY);
    if (pthread_create(&loader->thread, NULL, run, loader) != 0) {
        free(loader->path);
        free(loader);
        return problem_set(problem, PROBLEM_DEVICE, "no thread can be started to open the file");
    }
    *out = loader;
    return true;
}

void loader_cancel(struct loader *loader)
{
    atomic_store(&loader->cancelled, true);
}

void loader_destroy(struct loader *loader)
{
    if (!loader) {
        return;
    }
    loader_cancel(loader);
    pthread_join(loader->thread, NULL);
    volume_destroy(&loader->volume);
    free(loader->path);
    free(loader);
}

const char *loader_path(const struct loader *loader)
{
    return loader->path;
}

double loader_share(const struct loader *loader)
{
    return atomic_load(&((struct loader *)loader)->share);
}

double loader_ms(const struct loader *loader)
{
    return loader->ms;
}

bool loader_busy(const struct loader *loader)
{
    return atomic_load(&((struct loader *)loader)->state) == LOADER_BUSY;
}

enum loader_state loader_take(
    struct loader *loader, struct volume *volume, struct volume_facts *facts,
    struct problem *problem)
{
    const enum loader_state state = (enum loader_state)atomic_load(&loader->state);
    if (state == LOADER_DONE) {
        *volume = loader->volume;
        *facts = loader->facts;
        loader->volume = (struct volume){ 0 };
    } else if (state == LOADER_FAILED) {
        *problem = loader->problem;
    }
    return state;
}
