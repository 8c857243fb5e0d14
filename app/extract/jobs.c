#include "app/extract/jobs.h"

#include "app/extract/slice_sums.h"
#include "app/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

#define JOBS_A_RANK 8
#define JOB_SAMPLES (UINT64_C(1) << 33) // most per share, so that a kill does not cost hours

static bool jobs_no_memory(struct problem *problem)
{
    return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory making shares");
}

uint32_t extract_jobs_step(const struct volume *volume, uint64_t layers, uint32_t ranks)
{
    const uint64_t jobs = JOBS_A_RANK * (uint64_t)ranks;
    const uint64_t most = JOB_SAMPLES / ((uint64_t)volume->dim[0] * volume->dim[1]) + 1;
    const uint64_t step = (layers + jobs - 1) / jobs;
    return (uint32_t)(step == 0 ? 1 : step < most ? step : most);
}

// ---- one range of layers

// The shares of one range of layers, which are made one after another.
struct job_run {
    struct extract_jobs *jobs;
    struct layers layers;
    uint32_t step; // layers of a share; the last one may have fewer
    struct slice_sums sums;
    struct share_writer writer;
    struct folder_share now; // the share that is being made
    bool open;
    uint64_t cells; // active cells before this share
};

static bool job_is_file(const struct extract_jobs *jobs)
{
    return jobs->target == JOBS_FILE || jobs->target == JOBS_FOLDER;
}

static bool job_path(
    const struct extract_jobs *jobs, const char *name, char out[PATH_MAX], struct problem *problem)
{
    const bool folder = jobs->target == JOBS_FOLDER;
    return snprintf(out, PATH_MAX, "%s%s%s", jobs->path, folder ? "/" : "", name) < PATH_MAX ||
           problem_set(problem, PROBLEM_OUTPUT, "the path of the folder is too long");
}

static bool job_begin_share(struct job_run *run, uint32_t from, struct problem *problem)
{
    const struct extract_jobs *jobs = run->jobs;
    const uint32_t left = run->layers.to - from;
    struct share_head head = jobs->head;
    char path[PATH_MAX];
    head.from = from;
    head.to = from + (run->step < left ? run->step : left);
    run->now = (struct folder_share){ .layers = { head.from, head.to } };
    if (jobs->target == JOBS_FOLDER) {
        share_folder_name(run->now.layers, run->now.name);
    }
    run->open = true;
    return !job_is_file(jobs) || (job_path(jobs, run->now.name, path, problem) &&
                                  share_writer_open(path, &head, &run->writer, problem));
}

// The checksum of slice z, where a share begins or ends, or which is the middle one.
static uint32_t job_sum(const struct job_run *run, uint32_t z)
{
    const struct slice_sum *slice = run->sums.list;
    while (slice->z != z) {
        slice++;
    }
    return slice->sum;
}

static bool
job_add(struct extract_jobs *jobs, const struct folder_share *made, struct problem *problem)
{
    if (jobs->count == jobs->capacity) {
        jobs->capacity = 2 * jobs->capacity + 16;
        struct folder_share *more = realloc(jobs->made, jobs->capacity * sizeof *more);
        if (!more) {
            return jobs_no_memory(problem);
        }
        jobs->made = more;
    }
    jobs->made[jobs->count++] = *made;
    jobs->layers += made->layers.to - made->layers.from;
    return true;
}

static bool job_commit_share(struct job_run *run, struct problem *problem)
{
    struct extract_jobs *jobs = run->jobs;
    const struct layers layers = run->now.layers;
    // Slices of parts that the isovalue misses were not read. Read them now.
    if (!slice_sums_read(&run->sums, jobs->has_middle ? layers.to + 1 : UINT32_MAX, problem)) {
        return false;
    }
    const uint32_t sums[SHARE_SUMS] = {
        job_sum(run, layers.from),
        job_sum(run, layers.to),
        jobs->has_middle ? jobs->middle : job_sum(run, jobs->head.volume.dim[2] / 2),
    };
    const double start = clock_ms();
    run->now.vertices = run->writer.end.vertices;
    run->now.triangles = run->writer.end.triangles;
    char path[PATH_MAX];
    if (!share_writer_commit(&run->writer, run->now.active_cells, sums, problem) ||
        !job_path(jobs, run->now.name, path, problem)) {
        return false;
    }
    if (jobs->target == JOBS_FOLDER) {
        share_folder_mark(path);
    }
    jobs->measured.write_ms += clock_ms() - start;
    return true;
}

// Ends the share, which has all its layers now. `cells`: active cells of all shares so far.
static bool job_end_share(struct job_run *run, uint64_t cells, struct problem *problem)
{
    run->now.active_cells = cells - run->cells;
    run->cells = cells;
    run->open = false;
    return (!job_is_file(run->jobs) || job_commit_share(run, problem)) &&
           job_add(run->jobs, &run->now, problem);
}

// Ends and begins shares until the open one contains `layer`.
static bool job_go_to(struct job_run *run, uint32_t layer, uint64_t cells, struct problem *problem)
{
    while (!run->open || run->now.layers.to <= layer) {
        const uint32_t next = run->now.layers.to;
        if ((run->open && !job_end_share(run, cells, problem)) ||
            !job_begin_share(run, next, problem)) {
            return false;
        }
    }
    return true;
}

// Whether the part has the last rows of its last layer. If no mesh is made, a part may have only
// some rows of a layer.
static bool job_part_ends_layer(const struct job_run *run, const struct atlas_part *cells)
{
    const uint32_t rows = run->jobs->head.volume.dim[1] - 1;
    return cells->rows == 0 || cells->first_row + cells->rows == rows;
}

// Measures a part of the share in memory, and appends it to the mesh.
static bool job_measure(struct extract_jobs *jobs, struct part *part, struct problem *problem)
{
    const double start = clock_ms();
    if (jobs->reports && !mesh_tally_add(&jobs->tally, part->mesh, part->vertices, problem)) {
        return false;
    }
    jobs->measured.facts_ms += clock_ms() - start;
    return progress_go_on(problem) &&
           (!jobs->writer ||
            mesh_writer_part(
                jobs->writer, part->mesh, part->vertices, part->first_vertex, part->last, problem));
}

static bool job_put(struct job_run *run, struct part *part, struct problem *problem)
{
    const struct atlas_part *cells = &part->cells;
    if (run->jobs->target == JOBS_MEMORY) {
        return job_measure(run->jobs, part, problem);
    }
    run->now.vertices += part->vertices;
    run->now.triangles += part->result->triangles;
    return !job_is_file(run->jobs) || share_writer_part(
                                          &run->writer, part->mesh, part->vertices, cells->first,
                                          cells->first + cells->layers, problem);
}

static bool
job_part(void *user, struct extract *extract, struct part *part, struct problem *problem)
{
    struct job_run *run = user;
    const struct atlas_part *cells = &part->cells;
    // If a layer was extracted in rows, the totals already have its cells, and its result has none.
    const uint64_t before = extract_totals(extract)->active_cells;
    const uint64_t after = before + part->result->active_cells;
    extract_add_stages(&run->jobs->measured.result, part->result);
    return progress_go_on(problem) && job_go_to(run, cells->first, before, problem) &&
           job_put(run, part, problem) &&
           (cells->first + cells->layers < run->now.layers.to || !job_part_ends_layer(run, cells) ||
            job_end_share(run, after, problem));
}

static bool job_extract(struct job_run *run, struct problem *problem)
{
    struct extract_jobs *jobs = run->jobs;
    const struct query query = {
        .mesh = jobs->target != JOBS_COUNT,
        .counts = jobs->target != JOBS_MEMORY,
        .iso = jobs->head.iso,
        .method = jobs->method,
    };
    struct extract_totals totals;
    const char *doing = query.mesh ? "extracting" : "counting";
    if (!session_each(jobs->session, &query, doing, job_part, run, &totals, problem)) {
        return false;
    }
    // job_part was not called for parts that the isovalue misses. Make the shares of their layers.
    while (run->open || run->now.layers.to < run->layers.to) {
        if (run->open ? !job_end_share(run, totals.active_cells, problem)
                      : !job_begin_share(run, run->now.layers.to, problem)) {
            return false;
        }
    }
    totals_add(&jobs->measured.totals, &totals);
    return true;
}

// Sets the layers of a share so that shares begin where parts do.
static void job_set_step(struct job_run *run, uint32_t step)
{
    const uint32_t all = run->layers.to - run->layers.from;
    const uint32_t part = parts_planned(run->jobs->session->parts)->layers;
    run->step = all <= step ? all : part < step ? step / part * part : part;
}

static bool job_open_parts(struct job_run *run, uint32_t step, struct problem *problem)
{
    struct extract_jobs *jobs = run->jobs;
    struct parts_params params = session_parts_params(jobs->session, jobs->options);
    struct parts_plan plan;
    params.some = true;
    params.from = run->layers.from;
    params.to = run->layers.to;
    if (!parts_plan(&jobs->session->gpu, &params, &plan, problem)) {
        return false;
    }
    params.layers = !plan.rows && plan.layers > step ? step : 0;
    return session_parts(jobs->session, jobs->options, &params, problem);
}

// Lists the slices whose checksums shares have: where a share begins or ends, and the middle one.
static bool job_list_sums(struct job_run *run, struct problem *problem)
{
    const uint32_t from = run->layers.from, to = run->layers.to;
    const size_t ends = from < to ? (to - from - 1) / run->step + 2 : 1;
    const bool middle = !run->jobs->has_middle;
    run->sums.list = calloc(ends + middle, sizeof *run->sums.list);
    if (!run->sums.list) {
        return jobs_no_memory(problem);
    }
    for (size_t i = 0; i < ends; i++) {
        const uint64_t z = from + (uint64_t)i * run->step;
        run->sums.list[i].z = z < to ? (uint32_t)z : to;
    }
    if (middle) {
        run->sums.list[ends].z = run->jobs->head.volume.dim[2] / 2;
    }
    run->sums.count = ends + middle;
    // Read slices below all parts now, those above them last: a compressed file is decoded once.
    return slice_sums_read(&run->sums, from > 0 ? from - 1 : 0, problem);
}

static bool
job_do(struct extract_jobs *jobs, struct layers layers, uint32_t step, struct problem *problem)
{
    struct session *session = jobs->session;
    const bool opens = !session->parts;
    struct job_run run = { .jobs = jobs, .layers = layers, .step = layers.to - layers.from };
    run.now.layers.to = layers.from;
    slice_sums_begin(&session->volume, &session->file, NULL, 0, &run.sums);
    const struct atlas_source source = slice_sums_source(&run.sums);
    session->source = job_is_file(jobs) ? &source : NULL;
    // Open the file before the work, so that a target that cannot be written is refused early.
    bool fine = (jobs->target != JOBS_FILE || job_begin_share(&run, layers.from, problem)) &&
                (!opens || job_open_parts(&run, step, problem));
    if (fine) {
        job_set_step(&run, step);
        fine = (!job_is_file(jobs) || job_list_sums(&run, problem)) && job_extract(&run, problem);
    }
    share_writer_abort(&run.writer);
    session->source = NULL;
    free(run.sums.list);
    if (opens && jobs->target != JOBS_FILE) { // for a file, the report describes the parts
        parts_close(session->parts);
        session->parts = NULL;
    }
    return fine;
}

// ---- which ranges

// Makes the lacking layers with numbers `from` up to, but not including, `to`, range by range.
static bool jobs_do_some(
    struct extract_jobs *jobs, const struct layers *lacks, size_t count, uint64_t from, uint64_t to,
    uint32_t step, struct problem *problem)
{
    uint64_t at = 0; // the number of the range's first layer
    for (size_t i = 0; i < count; i++) {
        const uint64_t end = at + (lacks[i].to - lacks[i].from);
        const uint64_t first = from > at ? from : at, last = to < end ? to : end;
        if (first < last) {
            const struct layers some = {
                lacks[i].from + (uint32_t)(first - at),
                lacks[i].from + (uint32_t)(last - at),
            };
            if (!job_do(jobs, some, step, problem)) {
                return false;
            }
        }
        at = end;
    }
    return true;
}

// Makes the layers in jobs of `step` layers. The rank that takes a job's number makes the job.
static bool jobs_steal(
    struct extract_jobs *jobs, const struct layers *lacks, size_t count, uint32_t step,
    struct problem *problem)
{
    int64_t next = 0;
    if (!ranks_restart(problem) || !ranks_take(&next, problem)) {
        return false;
    }
    int64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t from = lacks[i].from; from < lacks[i].to; number++) {
            const uint32_t left = lacks[i].to - from;
            const struct layers job = { from, from + (step < left ? step : left) };
            if (number == next &&
                (!job_do(jobs, job, step, problem) || !ranks_take(&next, problem))) {
                return false;
            }
            from = job.to;
        }
    }
    return true;
}

// Sets the numbers of the result from the totals.
static void jobs_count(struct extract_jobs *jobs)
{
    struct extraction_result *result = &jobs->measured.result;
    const struct extract_totals *totals = &jobs->measured.totals;
    result->iso = jobs->head.iso;
    result->method = jobs->method;
    result->vertices = totals->vertices;
    result->triangles = totals->triangles;
    result->active_cells = totals->active_cells;
    if (!result->bricks_choice.method) {
        result->bricks_choice.method = result->cells_choice.method = result->method;
    }
    jobs->measured.device_bytes = jobs->session->gpu.budget.peak;
}

bool extract_jobs_do(
    struct extract_jobs *jobs, const struct layers *lacks, size_t count, uint32_t step,
    struct problem *problem)
{
    const uint64_t rank = (uint64_t)ranks()->rank, all = (uint64_t)ranks()->count;
    const double start = clock_ms();
    uint64_t layers = 0;
    for (size_t i = 0; i < count; i++) {
        layers += lacks[i].to - lacks[i].from;
    }
    const bool fine = jobs->target == JOBS_FILE ? job_do(jobs, lacks[0], step, problem)
                      : jobs->options->steal    ? jobs_steal(jobs, lacks, count, step, problem)
                                                : jobs_do_some(
                                                      jobs, lacks, count, layers * rank / all,
                                                      layers * (rank + 1) / all, step, problem);
    const bool step_alone = jobs->target == JOBS_MEMORY && !jobs->session->reports_parts;
    jobs->measured.extract_ms += step_alone ? jobs->measured.totals.extract_ms
                                            : clock_ms() - start - jobs->measured.write_ms;
    jobs_count(jobs);
    return fine;
}

void extract_jobs_free(struct extract_jobs *jobs)
{
    mesh_tally_destroy(&jobs->tally);
    free(jobs->made);
    *jobs = (struct extract_jobs){ 0 };
}
