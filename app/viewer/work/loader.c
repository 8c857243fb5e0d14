#include "app/viewer/work/loader.h"

#include "app/base/file_source.h"
#include "app/base/progress.h"
#include "app/viewer/window/window.h"
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
    double ms; // time of reading
    _Atomic double share;
    atomic_bool cancelled;
    atomic_int state; // enum loader_state; the thread sets it last
    bool in_file;
    struct loaded loaded;
    struct source_files files;
    struct problem problem;
};

static bool loader_report(void *user, double share)
{
    struct loader *loader = user;
    atomic_store(&loader->share, share);
    return !atomic_load(&loader->cancelled) && !interrupted;
}

// Only asks whether to go on. The reported share stays that of reading.
static bool loader_goes_on(void *user, double share)
{
    (void)share;
    return loader_report(user, loader_share(user));
}

static bool loader_read_whole(struct loader *loader, const char *path, struct problem *problem)
{
    struct loaded *loaded = &loader->loaded;
    const struct progress progress = { loader_goes_on, loader };
    if (path ? !volume_read(path, &loader->params, &loaded->volume, problem)
             : !volume_generate_default(&loaded->volume, problem)) {
        return false;
    }
    volume_facts(&loaded->volume, &loaded->facts);
    if (!volume_cubes(&loaded->volume, &progress, &loaded->cubes, problem)) {
        volume_destroy(&loaded->volume);
        contents_free(&loaded->contents);
        free(loaded->notes);
        loaded->notes = NULL;
        return false;
    }
    return true;
}

// Scans the file for its facts and leaves it open.
static bool loader_look_through(struct loader *loader, struct problem *problem)
{
    struct loaded *loaded = &loader->loaded;
    if (!volume_file_open(loader->path, &loader->params, &loaded->file, problem)) {
        return false;
    }
    loaded->contents = loaded->file.contents;
    loaded->file.contents = (struct contents){ 0 };
    loaded->volume = loaded->file.volume;
    loaded->ranges = calloc(loaded->volume.dim[2], sizeof *loaded->ranges);
    if (!loaded->ranges) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", loader->path);
    }
    return volume_file_facts(
        &loaded->file, NULL, &loader->progress, &loaded->facts, loaded->ranges, &loaded->cubes,
        problem);
}

static bool loader_load(struct loader *loader)
{
    struct problem again = { 0 };
    if (loader->in_file && loader->path) {
        return loader_look_through(loader, &loader->problem);
    }
    if (loader_read_whole(loader, loader->path, &loader->problem)) {
        return true;
    }
    if (file_source_instead(loader->path, &loader->problem) &&
        loader_look_through(loader, &again)) {
        return true;
    }
    if (again.kind == PROBLEM_INTERRUPTED) {
        loader->problem = again;
    }
    return false;
}

static void *loader_run(void *user)
{
    struct loader *loader = user;
    const double start = clock_ms();
    bool fine = loader_load(loader);
    loader->ms = clock_ms() - start;
    if (fine && atomic_load(&loader->cancelled)) {
        loaded_destroy(&loader->loaded);
        fine = problem_set(&loader->problem, PROBLEM_INTERRUPTED, "loading was cancelled");
    }
    atomic_store(&loader->state, fine ? LOADER_DONE : LOADER_FAILED);
    window_wake();
    return NULL;
}

bool loader_start(
    const char *path, const struct volume_params *params, bool in_file, struct loader **out,
    struct problem *problem)
{
    *out = NULL;
    struct loader *loader = calloc(1, sizeof *loader);
    const char *array = params->pick.array;
    if (!loader || (path && !(loader->path = strdup(path))) ||
        (array && !(loader->loaded.array = strdup(array)))) {
        free(loader ? loader->path : NULL);
        free(loader);
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory opening %s", path ? path : "the volume");
    }
    loader->params = *params;
    loader->in_file = in_file;
    loader->progress = (struct progress){ loader_report, loader };
    loader->params.progress = &loader->progress;
    loader->params.files = &loader->files;
    loader->params.contents = &loader->loaded.contents;
    loader->params.notes = &loader->loaded.notes;
    loader->params.pick.array = loader->loaded.array;
    atomic_store(&loader->state, LOADER_BUSY);
    if (pthread_create(&loader->thread, NULL, loader_run, loader) != 0) {
        free(loader->loaded.array);
        free(loader->path);
        free(loader);
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "no thread can be started to open the file");
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
    loaded_destroy(&loader->loaded);
    source_files_free(&loader->files);
    free(loader->path);
    free(loader);
}

struct source_files loader_files(struct loader *loader)
{
    const struct source_files files = loader->files;
    loader->files = (struct source_files){ 0 };
    return files;
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

enum loader_state loader_take(struct loader *loader, struct loaded *out, struct problem *problem)
{
    const enum loader_state state = (enum loader_state)atomic_load(&loader->state);
    if (state == LOADER_DONE) {
        *out = loader->loaded;
        loader->loaded = (struct loaded){ 0 };
    } else if (state == LOADER_FAILED) {
        *problem = loader->problem;
    }
    return state;
}
