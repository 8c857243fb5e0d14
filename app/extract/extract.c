#include "app/extract/extract.h"

#include "app/base/number.h"
#include "app/base/target.h"
#include "app/cli/option_table.h"
#include "app/extract/mesh_limit.h"
#include "app/extract/report.h"
#include "app/extract/slice_sums.h"
#include "app/extract/target.h"
#include "app/ranks/ranks.h"
#include "volumes/base/log.h"
#include "volumes/base/output_folder.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// The surface at one isovalue. Zero-initialised means that nothing is open.
struct extract_run {
    const struct options *options;    // -o names the file of this isovalue
    uint32_t contour;                 // the index of the isovalue
    struct extract_list *list;        // NULL: no mesh is written
    const struct mesh_format *format; // NULL: no mesh is written
    struct extract_jobs jobs;
    struct share_folder folder;
    struct output_folder hidden; // of the first rank, if there is no --resume
    struct output output;        // of the mesh, if rank 0 opens it for all
    struct layers *lacks;        // the layers to make
    size_t lack_count;
    struct extract_report report;
};

// All isovalues of the command. They are done one after another.
struct extract_list {
    struct options options;     // as given; extract_show_signs may add an isovalue
    bool joined;                // all surfaces are objects of one file
    struct mesh_writer writer;  // writes the mesh of the share in memory
    char *names[CONTOURS_MOST]; // see target_names
    struct options own[CONTOURS_MOST];
    struct extract_run runs[CONTOURS_MOST];
    uint32_t done; // runs that have ended
};

// ---- the input ----

// Sets the checksum of the middle slice, which each share has.
static bool extract_read_middle(struct extract_run *run, struct problem *problem)
{
    struct session *session = run->jobs.session;
    struct slice_sum middle = { .z = session->volume.dim[2] / 2, .sum = session->middle };
    struct slice_sums sums;
    slice_sums_begin(&session->volume, &session->file, &middle, 1, &sums);
    if (ranks()->count == 1 && !slice_sums_read(&sums, UINT32_MAX, problem)) {
        return false;
    }
    run->jobs.has_middle = true;
    run->jobs.middle = middle.sum;
    return true;
}

// Collective. Sets what all shares have in common, and which layers are wanted. The session must
// already have the volume and the device.
static bool extract_prepare(struct extract_run *run, struct problem *problem)
{
    const struct options *options = run->options;
    struct extract_jobs *jobs = &run->jobs;
    struct session *session = jobs->session;
    const struct parts_params params = session_parts_params(session, options);
    struct layers *wanted = &run->report.wanted;
    jobs->options = options;
    jobs->reports = options_report(options);
    *wanted = (struct layers){ 0, session->volume.dim[2] - 1 };
    if (options->share) {
        share_layers(options->share, options->shares, wanted->to, &wanted->from, &wanted->to);
    }
    if (jobs->target == JOBS_FOLDER) {
        session->done = NULL; // no note on parts: the size of a share decides them
        if (!extract_read_middle(run, problem) ||
            !session_learn_facts(session, options, &params, problem)) {
            return false;
        }
    }
    if (!session_method(session, options->method, &jobs->method, problem) ||
        (jobs->target == JOBS_MEMORY && !session->parts &&
         !session_parts(session, options, &params, problem))) {
        return false;
    }
    const struct isovalue *iso = &options->isos[run->contour];
    jobs->head = (struct share_head){
        .input_bytes = session->files.bytes,
        .input_time = session->files.time,
        .volume = session->volume,
        .iso = jobs->target == JOBS_FILE ? iso->value : session_iso(session, iso),
    };
    jobs->tally.place = mesh_place_of(&session->volume);
    memcpy(jobs->tally.dim, session->volume.dim, sizeof jobs->tally.dim);
    return true;
}

// Sets the name of the file that the run writes. The name may have the isovalue in it, which may
// depend on the facts.
static bool extract_name(struct extract_run *run, struct problem *problem)
{
    struct extract_list *list = run->list;
    if (!list) {
        return true;
    }
    if (!target_names(&list->options, &run->jobs.session->facts, list->names, problem)) {
        return false;
    }
    const char *name = list->names[run->contour];
    list->own[run->contour].output = name ? name : list->options.output;
    run->jobs.path = list->own[run->contour].output;
    return true;
}

// Prepares the runs of the isovalues from index `from` on. `from` is above 0 if isovalues were
// added to a list that has begun.
static void extract_list_begin(
    struct extract_list *list, uint32_t from, enum jobs_target target,
    const struct mesh_format *format)
{
    list->joined = list->options.iso_count > 1 && !target_has_names(&list->options);
    for (uint32_t i = from; i < list->options.iso_count; i++) {
        list->own[i] = list->options;
        list->runs[i] = (struct extract_run){
            .options = &list->own[i],
            .contour = i,
            .list = list,
            .format = format,
            .jobs = { .target = target },
        };
    }
}

// Adds the negative isovalue of an orbital, as render does. If the target takes only one surface,
// prints a note.
static void extract_show_signs(struct extract_run *run)
{
    const struct extract_jobs *jobs = &run->jobs;
    struct extract_list *list = run->list;
    struct options *options = &list->options;
    struct view view = options->view;
    char iso[2][32];
    struct problem why;
    view.further = options->iso_count - 1;
    view.isos[0] = jobs->head.iso;
    view.auto_isos[0] = options->isos[0].kind == ISOVALUE_AUTO;
    view_show_signs(&view, &jobs->session->volume, &jobs->session->facts);
    if (view.further < options->iso_count) {
        return;
    }
    options->iso_count = 2;
    number_text(view.isos[0], iso[0]);
    number_text(view.isos[1], iso[1]);
    if (!target_of_several(options, jobs->target, run->format, &why)) {
        options->iso_count = 1;
        log_note(
            "an orbital with both signs: only the surface at %s is made; --iso %s makes the other",
            iso[0], iso[1]);
        return;
    }
    log_note("an orbital with both signs: surfaces at %s and %s", iso[0], iso[1]);
    options->view = view;
    options->isos[1] = (struct isovalue){ .kind = ISOVALUE_NUMBER, .value = view.isos[1] };
    list->own[0].iso_count = 2;
    free(list->names[0]);
    list->names[0] = NULL;
    extract_list_begin(list, 1, jobs->target, run->format);
}

// ---- the folder ----

static bool extract_make_folder(const char *path, struct problem *problem)
{
    struct stat st;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return problem_set(
            problem, PROBLEM_OUTPUT, "the folder '%.400s' cannot be made: %s", path,
            strerror(errno));
    }
    return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) ||
           problem_set(
               problem, PROBLEM_OUTPUT, "'%.400s' is not a folder; --resume needs one", path);
}

// The first rank opens the target before the work, so that a target that cannot be written is
// refused early. It also makes the folder.
static bool extract_make_target(struct extract_run *run, struct problem *problem)
{
    const struct options *options = run->options;
    const bool hides = !options->resume && options->output;
    if (run->format && (hides || ranks()->count > 1) &&
        (!output_open(options->output, &run->output, problem) ||
         (hides && !output_folder_make(&run->output, 0700, &run->hidden, problem)))) {
        return false;
    }
    if (options->resume && !extract_make_folder(options->resume, problem)) {
        return false;
    }
    const char *path = options->resume ? options->resume : run->hidden.path;
    return snprintf(run->folder.path, sizeof run->folder.path, "%s", path) <
               (int)sizeof run->folder.path ||
           problem_set(problem, PROBLEM_OUTPUT, "the path of --resume is too long");
}

// Whether this rank sees the folder that the first rank has made.
static bool extract_sees_folder(const char *path, struct problem *problem)
{
    struct stat st;
    return stat(path, &st) == 0 ||
           problem_set(
               problem, PROBLEM_OUTPUT,
               "the folder '%.400s', which rank 0 has made, is not seen here: %s; all processes "
               "must see the same folder",
               path, strerror(errno));
}

// Collective. All ranks get the path of the folder that the first rank has made, and its shares.
static bool extract_open_folder(struct extract_run *run, struct problem *problem)
{
    struct share_folder *folder = &run->folder;
    const struct folder_input input = {
        .path = run->options->operands[0],
        .head = run->jobs.head,
        .middle = run->jobs.middle,
    };
    if ((ranks()->rank == 0 && !extract_make_target(run, problem)) ||
        !ranks_share(0, folder->path, sizeof folder->path, problem) ||
        (folder->path[0] && !extract_sees_folder(folder->path, problem))) {
        return false;
    }
    run->jobs.path = folder->path;
    run->jobs.target = folder->path[0] ? JOBS_FOLDER : JOBS_COUNT;
    if (run->options->resume && !share_folder_read(folder, &input, run->report.wanted, problem)) {
        return false;
    }
    return share_folder_lacks(folder, run->report.wanted, &run->lacks, &run->lack_count, problem);
}

// ---- the shares ----

// The material that --color and --opacity ask for.
static struct mesh_material extract_material(const struct options *options, uint32_t contour)
{
    const struct colour *colour = &options->view.colours[contour];
    struct mesh_material out = {
        .set = option_given(options, "color") || option_given(options, "opacity"),
    };
    for (int k = 0; k < 3; k++) {
        out.colour[k] = colour->set ? (float)colour_linear(colour->rgb[k]) : 0.8f;
    }
    out.colour[3] = 1 - options->view.transparencies[contour];
    return out;
}

// Opens the file, or begins an object of the file that is open.
static bool extract_open_writer(
    struct extract_run *run, const struct mesh_write_params *params, struct problem *problem)
{
    struct mesh_writer *writer = run->jobs.writer;
    const bool joined = run->list->joined;
    if (!(joined && run->contour > 0) &&
        !mesh_writer_open(run->options->output, params, writer, problem)) {
        return false;
    }
    if (joined) {
        char iso[32];
        mesh_writer_object(writer, number_text(run->jobs.head.iso, iso), &params->material);
    }
    return true;
}

// Collective. Makes the wanted layers that no share has.
static bool extract_make(struct extract_run *run, struct problem *problem)
{
    const struct options *options = run->options;
    struct extract_jobs *jobs = &run->jobs;
    struct extract_report *report = &run->report;
    const struct layers *lacks = &report->wanted;
    size_t count = 1;
    uint32_t step = UINT32_MAX;
    if (jobs->target == JOBS_FOLDER) {
        if (!extract_open_folder(run, problem)) {
            return false;
        }
        lacks = run->lacks;
        count = run->lack_count;
        for (size_t i = 0; i < count; i++) {
            report->layers_made += lacks[i].to - lacks[i].from;
        }
        report->layers_found = report->wanted.to - report->wanted.from - report->layers_made;
        report->shares_found = run->folder.count;
        report->shares_damaged = run->folder.damaged;
        step = extract_jobs_step(&jobs->head.volume, report->layers_made, (uint32_t)ranks()->count);
    } else if (jobs->target == JOBS_MEMORY && run->format) {
        jobs->writer = &run->list->writer;
    }
    const struct mesh_write_params target = {
        .format = run->format,
        .volume = &jobs->head.volume,
        .pieces = options->pieces,
        .material = extract_material(options, run->contour),
    };
    return (mesh_limit_check(jobs, &run->folder, lacks, count, step, run->format, problem) &&
            (!jobs->writer || extract_open_writer(run, &target, problem)) &&
            extract_jobs_do(jobs, lacks, count, step, problem)) ||
           session_contour_failed(jobs->head.iso, run->contour, options->iso_count, problem);
}

// ---- the mesh ----

static bool
extract_gather(void *user, const void *bytes, size_t size, void *all, struct problem *problem)
{
    (void)user;
    return ranks_gather(bytes, size, all, problem);
}

static bool extract_agree(void *user, bool fine, struct problem *problem)
{
    (void)user;
    return ranks_agree(fine, problem);
}

// Collective. All ranks write one file. The first rank, which has opened it, moves it to its place.
static bool extract_write_window(
    const struct mesh_source *source, const struct options *options,
    const struct mesh_write_params *params, struct output *output, struct problem *problem)
{
    const struct ranks *who = ranks();
    const struct mesh_window window = {
        .rank = who->rank,
        .count = who->count,
        .gather = extract_gather,
        .agree = extract_agree,
        .pieces = params->pieces,
    };
    char temporary[OUTPUT_SHARED] = "";
    if ((who->rank == 0 && !output_temporary_path(output, temporary, problem)) ||
        !ranks_share(0, temporary, sizeof temporary, problem) ||
        (who->rank > 0 && !output_join(options->output, temporary, output, problem)) ||
        !mesh_write_window(
            source, params->format, params->volume, &window, output, params->progress, problem)) {
        return false;
    }
    const bool fine = who->rank == 0 || output_commit(output, problem);
    return ranks_agree(fine, problem) && (who->rank > 0 || output_commit(output, problem));
}

bool extract_write_shares(
    struct shares *shares, const struct options *options, uint32_t contour,
    const struct mesh_format *format, struct output *output, double *ms, struct problem *problem)
{
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "writing");
    const struct mesh_write_params params = {
        .format = format,
        .volume = &shares->list[0].head.volume,
        .progress = &progress,
        .pieces = options->pieces,
    };
    meter.bytes = shares->bytes / (uint64_t)ranks()->count;
    struct mesh_source source = *shares_source(shares);
    source.objects[0].material = extract_material(options, contour);
    const bool fine = output->path || ranks()->count > 1
                          ? extract_write_window(&source, options, &params, output, problem)
                          : mesh_write_source(&source, options->output, &params, problem);
    progress_end(&meter);
    *ms += clock_ms() - start;
    return fine;
}

// Opens the shares of all layers. The caller frees *paths and each path.
static bool extract_open_shares(
    const struct extract_run *run, const char ***paths, struct shares *shares,
    struct problem *problem)
{
    const struct share_folder *folder = &run->folder;
    *paths = calloc(folder->count + 1, sizeof **paths);
    bool fine = *paths;
    for (size_t i = 0; fine && i < folder->count; i++) {
        char *path;
        fine = asprintf(&path, "%s/%s", folder->path, folder->list[i].name) >= 0;
        (*paths)[i] = fine ? path : NULL;
    }
    if (!fine) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening shares");
    }
    struct problem why;
    if (shares_open(*paths, folder->count, shares, &why)) {
        return true;
    }
    for (size_t i = 0; ranks()->count > 1 && i < folder->count; i++) {
        if (access((*paths)[i], F_OK) != 0 && errno == ENOENT) {
            return problem_set(
                problem, PROBLEM_INPUT,
                "the folder '%.400s' lacks '%s', which another process has made; all processes "
                "must see the same folder",
                folder->path, folder->list[i].name);
        }
    }
    return problem_set(problem, why.kind, "%s", why.text);
}

static bool extract_mesh_of_folder(struct extract_run *run, struct problem *problem)
{
    struct shares shares = { 0 };
    const char **paths = NULL;
    struct measured *measured = &run->jobs.measured;
    const struct mesh counts = {
        .vertex_count = measured->result.vertices,
        .triangle_count = measured->result.triangles,
    };
    const struct mesh_format *format = run->format;
    const bool fine = (!format->check || format->check(&counts, run->options->output, problem)) &&
                      extract_open_shares(run, &paths, &shares, problem) &&
                      shares_index(&shares, problem) &&
                      extract_write_shares(
                          &shares, run->options, run->contour, format, &run->output,
                          &measured->write_ms, problem);
    shares_close(&shares);
    for (size_t i = 0; paths && paths[i]; i++) {
        free((char *)paths[i]);
    }
    free(paths);
    return fine;
}

// Collective. Adds up the counts of the shares with wanted layers, and writes the mesh.
static bool extract_finish_folder(struct extract_run *run, struct problem *problem)
{
    struct extract_jobs *jobs = &run->jobs;
    struct extraction_result *result = &jobs->measured.result;
    struct share_folder *folder = &run->folder;
    if (!share_folder_add(folder, jobs->made, jobs->count, problem)) {
        return false;
    }
    run->report.shares_made = folder->count - run->report.shares_found;
    result->active_cells = result->vertices = result->triangles = 0;
    for (size_t i = 0; i < folder->count; i++) {
        const struct folder_share *share = &folder->list[i];
        if (layers_meet(share->layers, run->report.wanted)) {
            result->active_cells += share->active_cells;
            result->vertices += share->vertices;
            result->triangles += share->triangles;
        }
    }
    session_warn_if_empty(jobs->session, result->triangles, jobs->head.iso);
    jobs->measured.facts_ms = NAN;
    return (!run->format || extract_mesh_of_folder(run, problem)) &&
           report_gather(&run->report, problem);
}

static bool extract_finish_memory(struct extract_run *run, struct problem *problem)
{
    struct extract_jobs *jobs = &run->jobs;
    struct measured *measured = &jobs->measured;
    session_warn_if_empty(jobs->session, measured->result.triangles, jobs->head.iso);
    measured->has_facts = true;
    if (jobs->reports && !mesh_tally_end(&jobs->tally, &measured->facts, problem)) {
        return false;
    }
    if (!jobs->writer || (run->list->joined && run->contour + 1 < run->options->iso_count)) {
        return true;
    }
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "writing");
    meter.bytes = mesh_writer_bytes(jobs->writer);
    const bool fine = mesh_writer_commit(jobs->writer, &progress, problem);
    progress_end(&meter);
    measured->write_ms = clock_ms() - start;
    return fine;
}

// ---- all of it ----

// Collective. Does all of the work for an open session, except for the report and extract_close.
static bool extract_do(struct extract_run *run, struct problem *problem)
{
    const enum jobs_target target = run->jobs.target;
    run->report.jobs = &run->jobs;
    run->report.format = run->format;
    if (!extract_prepare(run, problem)) {
        return false;
    }
    if (run->list && run->contour == 0) {
        extract_show_signs(run);
    }
    return extract_name(run, problem) && extract_make(run, problem) &&
           (target == JOBS_FILE ||
            (target == JOBS_MEMORY ? extract_finish_memory : extract_finish_folder)(run, problem));
}

// Collective. Returns whether all ranks are fine. The hidden folder is gone afterwards.
static bool extract_close(struct extract_run *run, bool fine, struct problem *problem)
{
    // After this no rank reads the others' shares any more.
    fine = ranks_agree(fine, problem);
    output_abort(&run->output);
    const char *folder = run->folder.path;
    const bool hides = *folder && !run->options->resume;
    for (size_t i = 0; hides && i < run->jobs.count; i++) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", folder, run->jobs.made[i].name) < PATH_MAX) {
            unlink(path);
        }
    }
    if (hides) {
        rmdir(folder); // only the last rank succeeds: for it the folder is empty
    }
    output_folder_remove(&run->hidden);
    return fine;
}

static void extract_free(struct extract_run *run)
{
    extract_jobs_free(&run->jobs);
    share_folder_free(&run->folder);
    free(run->lacks);
    free(run->report.ranks);
}

// After a failure, says which files with names of their own are in their places.
static void extract_say_written(const struct extract_list *list, struct problem *problem)
{
    char text[600] = "";
    for (uint32_t i = 0; i < list->done && list->names[i]; i++) {
        const size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s'%s'", i > 0 ? ", " : "", list->names[i]);
    }
    if (*text) {
        const struct problem why = *problem;
        problem_set(
            problem, why.kind, "%s; %s %s written", why.text, text,
            list->done > 1 ? "were" : "was");
    }
}

// Collective. Does all isovalues, and reports.
static bool extract_all(struct extract_list *list, struct session *session, struct problem *problem)
{
    const struct extract_report *reports[CONTOURS_MOST];
    const struct options *options = &list->options;
    bool fine = true;
    for (uint32_t i = 0; fine && i < options->iso_count; i++) {
        list->runs[i].jobs.session = session;
        reports[i] = &list->runs[i].report;
        fine = extract_do(&list->runs[i], problem);
        fine = extract_close(&list->runs[i], fine, problem);
        list->done += fine;
    }
    fine = fine && report_print(reports, options->iso_count, options, problem);
    if (!fine) {
        extract_say_written(list, problem);
    }
    return fine;
}

bool extract(const struct options *options, struct problem *problem)
{
    struct session session = { 0 };
    enum jobs_target target;
    const struct mesh_format *format;
    struct extract_list *list = calloc(1, sizeof *list);
    if (!list) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory");
    }
    list->options = *options;
    bool fine = extract_target(options, &target, &format, problem) &&
                target_names(options, NULL, list->names, problem);
    if (fine) {
        extract_list_begin(list, 0, target, format);
        fine = session_load(&session, options->operands[0], options, "extracted", problem) &&
               extract_all(list, &session, problem);
        mesh_writer_abort(&list->writer);
        fine = session_close(&session, fine, problem);
    }
    for (uint32_t i = 0; i < list->options.iso_count; i++) {
        extract_free(&list->runs[i]);
        free(list->names[i]);
    }
    free(list);
    return fine;
}

bool extract_facts(
    struct session *session, const struct options *options, uint32_t which, struct measured *out,
    struct problem *problem)
{
    struct extract_run run = {
        .options = options,
        .contour = which,
        .jobs = { .session = session, .target = JOBS_MEMORY },
    };
    bool fine = (session->gpu.device || session_open(session, options, problem)) &&
                extract_do(&run, problem);
    fine = extract_close(&run, fine, problem);
    *out = run.jobs.measured;
    extract_free(&run);
    return fine;
}
