#include "app/extract/mesh_limit.h"

#include "app/base/file_source.h"
#include "app/ranks/ranks.h"

#include <stdlib.h>

enum { LAYERS_SEEN = 16 };
#define SAFELY 4 // safety factor for the layers that are not sampled

// The counts of a surface with this many vertices. A closed surface has twice as many triangles.
static struct mesh mesh_room_counts_of(double vertices)
{
    return (struct mesh){
        .vertex_count = (uint64_t)vertices,
        .triangle_count = (uint64_t)(2 * vertices),
    };
}

static bool
mesh_room_fits(const struct mesh_format *format, const struct mesh *counts, const char *path)
{
    struct problem unsaid;
    return format->check(counts, path, &unsaid);
}

// Counts the edges that cross the isovalue and start at a sample of the lower of two slices.
static uint64_t mesh_room_crossings(const struct volume *pair, double iso)
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

// Collective. Estimates the vertices of the whole surface from a few layers across the volume, of
// which each rank looks at some.
static bool
mesh_room_estimate(struct session *session, double iso, double *vertices, struct problem *problem)
{
    const struct volume *volume = &session->volume;
    struct volume pair = *volume;
    pair.dim[2] = 2;
    const uint64_t slice_bytes = volume_bytes(&pair) / 2;
    const struct atlas_source source = file_source(&session->file);
    void *own = session->file.path ? malloc(2 * slice_bytes) : NULL;
    if (session->file.path && !own) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory looking at the volume");
    }
    const uint32_t layers = volume->dim[2] - 1;
    const uint32_t seen = layers < LAYERS_SEEN ? layers : LAYERS_SEEN;
    const uint32_t rank = (uint32_t)ranks()->rank, count = (uint32_t)ranks()->count;
    int64_t crossings = 0;
    bool fine = true;
    for (uint32_t i = rank; fine && i < seen; i += count) {
        const uint32_t z = (uint32_t)((2ull * i + 1) * layers / (2 * seen));
        pair.samples = own ? own : (char *)volume->samples + z * slice_bytes;
        fine = !own || source.read(source.user, z, 2, own, problem);
        crossings += fine ? (int64_t)mesh_room_crossings(&pair, iso) : 0;
        fine = fine && progress_go_on(problem);
    }
    free(own);
    fine = fine && ranks_sum(&crossings, 1, problem);
    *vertices = (double)crossings / seen * volume->dim[2];
    return fine;
}

bool mesh_room_is_doubtful(
    struct session *session, double iso, const struct mesh_format *format, const char *path,
    bool *doubtful, struct problem *problem)
{
    const struct volume *volume = &session->volume;
    const struct mesh most = mesh_room_counts_of(3.0 * (double)volume_count(volume));
    const bool forward_only = session->file.path && !session->file.seekable;
    double vertices = 0;
    *doubtful = false;
    if (!format->check || mesh_room_fits(format, &most, path) || forward_only) {
        return true;
    }
    if (!mesh_room_estimate(session, iso, &vertices, problem)) {
        return false;
    }
    const struct mesh perhaps = mesh_room_counts_of(SAFELY * vertices);
    *doubtful = !mesh_room_fits(format, &perhaps, path);
    return true;
}

bool mesh_room(
    struct session *session, const struct query *query, const struct mesh_format *format,
    const char *path, struct extract_totals *totals, double *extract_ms, struct problem *problem)
{
    bool doubtful;
    if (!mesh_room_is_doubtful(session, query->iso, format, path, &doubtful, problem)) {
        return false;
    }
    if (!doubtful) {
        return true;
    }
    // Makes the surface only to count it.
    struct query counting = *query;
    counting.mesh = false;
    counting.counts = true;
    const double start = clock_ms();
    if (!session_each(session, &counting, "counting", NULL, NULL, totals, problem)) {
        return false;
    }
    *extract_ms = clock_ms() - start;
    const struct mesh counts = {
        .vertex_count = totals->vertices,
        .triangle_count = totals->triangles,
    };
    return format->check(&counts, path, problem);
}
