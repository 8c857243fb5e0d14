#include "app/extract/mesh_limit.h"

#include "app/ranks/ranks.h"

#include <stdlib.h>

enum { LAYERS_SEEN = 16 };
#define SAFELY 4 // safety factor for the layers that are not sampled

// The counts of a surface with this many vertices. A closed surface has twice as many triangles.
static struct mesh mesh_limit_counts_of(double vertices)
{
    return (struct mesh){
        .vertex_count = (uint64_t)vertices,
        .triangle_count = (uint64_t)(2 * vertices),
    };
}

static bool
mesh_limit_fits(const struct mesh_format *format, const struct mesh *counts, const char *path)
{
    struct problem unsaid;
    return format->check(counts, path, &unsaid);
}

// Counts the edges that cross the isovalue and start at a sample of the lower of two slices.
static uint64_t mesh_limit_crossings(const struct volume *pair, double iso)
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

// Collective. Estimates the vertices of the whole surface from a few layers across the volume. Each
// rank looks at some of these layers.
static bool
mesh_limit_estimate(struct session *session, double iso, double *vertices, struct problem *problem)
{
    const struct volume *volume = &session->volume;
    struct volume pair = *volume;
    pair.dim[2] = 2;
    const uint64_t slice_bytes = volume_bytes(&pair) / 2;
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
        fine = !own || volume_file_read(&session->file, z, 2, own, NULL, problem);
        crossings += fine ? (int64_t)mesh_limit_crossings(&pair, iso) : 0;
        fine = fine && progress_go_on(problem);
    }
    free(own);
    fine = fine && ranks_sum(&crossings, 1, problem);
    *vertices = (double)crossings / seen * volume->dim[2];
    return fine;
}

// Collective. Sets *doubtful to whether the surface may be too large.
static bool mesh_limit_is_doubtful(
    const struct extract_jobs *jobs, const struct mesh_format *format, const char *path,
    bool *doubtful, struct problem *problem)
{
    struct session *session = jobs->session;
    const struct volume *volume = &session->volume;
    const struct mesh most = mesh_limit_counts_of(3.0 * (double)volume_count(volume));
    const bool forward_only = session->file.path && !session->file.seekable;
    double vertices = 0;
    *doubtful = false;
    if (!format->check || mesh_limit_fits(format, &most, path) || forward_only) {
        return true;
    }
    if (!mesh_limit_estimate(session, jobs->head.iso, &vertices, problem)) {
        return false;
    }
    const struct mesh perhaps = mesh_limit_counts_of(SAFELY * vertices);
    *doubtful = !mesh_limit_fits(format, &perhaps, path);
    return true;
}

// Collective. Adds what all ranks have counted. Adds the bytes read and the time to `jobs`.
static bool mesh_limit_add(
    const struct extract_jobs *counting, struct extract_jobs *jobs, struct mesh *counts,
    struct problem *problem)
{
    int64_t sums[2] = { 0 };
    for (size_t i = 0; i < counting->count; i++) {
        sums[0] += (int64_t)counting->made[i].vertices;
        sums[1] += (int64_t)counting->made[i].triangles;
    }
    jobs->measured.totals.bytes_read += counting->measured.totals.bytes_read;
    jobs->measured.totals.cut += counting->measured.totals.cut;
    jobs->measured.extract_ms += counting->measured.extract_ms;
    if (!ranks_sum(sums, 2, problem)) {
        return false;
    }
    counts->vertex_count += (uint64_t)sums[0];
    counts->triangle_count += (uint64_t)sums[1];
    return true;
}

bool mesh_limit_check(
    struct extract_jobs *jobs, const struct share_folder *found, const struct layers *lacks,
    size_t count, uint32_t step, const struct mesh_format *format, struct problem *problem)
{
    const char *path = jobs->options->output;
    bool doubtful = false;
    if (!format || count == 0) {
        return true;
    }
    if (!mesh_limit_is_doubtful(jobs, format, path, &doubtful, problem)) {
        return false;
    }
    if (!doubtful) {
        return true;
    }
    struct mesh counts = { 0 };
    for (size_t i = 0; i < found->count; i++) {
        counts.vertex_count += found->list[i].vertices;
        counts.triangle_count += found->list[i].triangles;
    }
    struct extract_jobs counting = {
        .session = jobs->session,
        .options = jobs->options,
        .method = jobs->method,
        .head = jobs->head,
    };
    const bool fine = extract_jobs_do(&counting, lacks, count, step, problem) &&
                      mesh_limit_add(&counting, jobs, &counts, problem) &&
                      format->check(&counts, path, problem);
    extract_jobs_free(&counting);
    return fine;
}
