#include "app/cli/piecewise_room.h"

#include <stdlib.h>

enum { LAYERS_SEEN = 16 };
#define SAFELY 4 // what so few layers may have missed

// Of a whole surface that has so many vertices: a closed one has twice as many triangles.
static struct mesh counts_of(double vertices)
{
    return (struct mesh){
        .vertex_count = (uint64_t)vertices,
        .triangle_count = (uint64_t)(2 * vertices),
    };
}

static bool fits(const struct mesh_format *format, const struct mesh *counts, const char *path)
{
    struct problem unsaid;
    return format->check(counts, path, &unsaid);
}

// Edges that cross the isovalue, of those that start at a sample of the lower of two slices.
static uint64_t crossings(const struct volume *pair, double iso)
{
    uint64_t sum = 0;
    for (uint32_t y = 0; y < pair->dim[1]; y++) {
        bool next = volume_sample(pair, 0, y, 0) >= iso;
        for (uint32_t x = 0; x < pair->dim[0]; x++) {
            const bool inside = next;
            if (x + 1 < pair->dim[0]) {
                next = volume_sample(pair, x + 1, y, 0) >= iso;
                sum += inside != next;
            }
            if (y + 1 < pair->dim[1]) {
                sum += inside != (volume_sample(pair, x, y + 1, 0) >= iso);
            }
            sum += inside != (volume_sample(pair, x, y, 1) >= iso);
        }
    }
    return sum;
}

// The vertices of the whole surface, by a few layers strewn over the volume.
static bool estimate(
    struct piecewise *piecewise, const struct volume *volume, double *vertices,
    struct problem *problem)
{
    struct volume pair = *volume;
    pair.dim[2] = 2;
    const uint64_t slice_bytes = volume_bytes(&pair) / 2;
    void *own = piecewise->file.path ? malloc(2 * slice_bytes) : NULL;
    if (piecewise->file.path && !own) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory looking at the volume");
    }
    const uint32_t layers = volume->dim[2] - 1;
    const uint32_t seen = layers < LAYERS_SEEN ? layers : LAYERS_SEEN;
    uint64_t sum = 0;
    bool fine = true;
    for (uint32_t i = 0; fine && i < seen; i++) {
        const uint32_t z = (uint32_t)((2ull * i + 1) * layers / (2 * seen));
        pair.samples = own ? own : (char *)volume->samples + z * slice_bytes;
        fine = !own || piecewise->source.read(piecewise->source.user, z, 2, own, problem);
        sum += fine ? crossings(&pair, piecewise->step.iso) : 0;
    }
    free(own);
    *vertices = (double)sum / seen * volume->dim[2];
    return fine;
}

static bool
add(void *user, const struct atlas *atlas, struct surface *surface,
    const struct extraction_result *result, struct problem *problem)
{
    (void)atlas;
    (void)surface;
    (void)problem;
    *(uint64_t *)user += result->vertices;
    return true;
}

bool piecewise_has_room(
    struct piecewise *piecewise, const struct session *session, const struct mesh_format *format,
    const char *path, struct problem *problem)
{
    const struct volume *volume = &session->volume;
    const struct mesh most = counts_of(3.0 * (double)volume_count(volume));
    double vertices = 0;
    const bool forward_only = piecewise->file.path && !piecewise->file.seekable;
    if (!format->check || fits(format, &most, path) || forward_only) {
        return true;
    }
    if (!estimate(piecewise, volume, &vertices, problem)) {
        return false;
    }
    const struct mesh perhaps = counts_of(SAFELY * vertices);
    if (fits(format, &perhaps, path)) {
        return true;
    }
    // Vertices of shared slices are there twice; those have two edges a sample at most, and no
    // vertex is there more often.
    uint64_t doubled = 0;
    const struct slabs_sink sink = { .surface = add, .user = &doubled };
    if (!piecewise_walk(piecewise, session, "counting", &sink, problem)) {
        return false;
    }
    const struct slabs_result *found = &piecewise->found;
    const uint64_t shared = 2ull * volume->dim[0] * volume->dim[1] * (found->slabs - 1);
    const struct mesh least = {
        .vertex_count = doubled / 2 > shared ? doubled - shared : (doubled + 1) / 2,
        .triangle_count = found->triangles,
    };
    return format->check(&least, path, problem);
}
