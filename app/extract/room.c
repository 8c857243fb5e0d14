#include "app/extract/room.h"

#include "app/extract/mesh_limit.h"
#include "app/ranks/ranks.h"

// Collective. Adds what all ranks have counted. Also keeps what that took.
static bool room_add(
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

bool extract_room(
    struct extract_jobs *jobs, const struct share_folder *found, const struct layers *lacks,
    size_t count, uint32_t step, const struct mesh_format *format, struct problem *problem)
{
    const char *path = jobs->options->output;
    bool doubtful = false;
    if (!format || count == 0) {
        return true;
    }
    if (!mesh_room_is_doubtful(jobs->session, jobs->head.iso, format, path, &doubtful, problem)) {
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
                      room_add(&counting, jobs, &counts, problem) &&
                      format->check(&counts, path, problem);
    extract_jobs_free(&counting);
    return fine;
}
