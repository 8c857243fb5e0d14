#include "app/extract/extract.h"

#include "app/base/target.h"
#include "app/extract/input.h"
#include "app/extract/room.h"
#include "app/ranks/ranks.h"
#include "compute/mesh/mesh_writer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether a mesh can be put in its place when it is complete. /dev/stdout is written directly, also
// where it is a file.
static bool together_is_file(const char *target)
{
    struct stat st;
    const bool direct = strncmp(target, "/dev/std", 8) == 0 ||
                        strncmp(target, "/dev/fd/", 8) == 0 || strncmp(target, "/proc/", 6) == 0;
    return !direct && !target_is_stdout(target) &&
           (stat(target, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

bool extract_together_is(const struct options *options)
{
    const bool alone = options->share || (options->output && !together_is_file(options->output));
    return options->resume || ranks()->count > 1 || (ranks()->mpi && !alone);
}

bool extract_together_check(const struct options *options, struct problem *problem)
{
    const int count = ranks()->count;
    if (options->share && !options->resume) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--share is for cubist: %d processes of cubist-mpi divide the work themselves", count);
    }
    return !options->output || count == 1 || together_is_file(options->output) ||
           problem_set(
               problem, PROBLEM_USAGE,
               "%d processes can only write a file together, and '%.400s' is none; name a file "
               "with -o, or use cubist",
               count, options->output);
}

// ---- the input

static bool together_open(
    struct together *together, struct session *session, struct folder_input *input,
    struct problem *problem)
{
    const struct options *options = together->options;
    struct extract_jobs *jobs = &together->jobs;
    if (!extract_input_open(session, options, input, problem)) {
        return false;
    }
    session->done = NULL; // the size of a share says how it is divided
    const struct parts_params params = session_parts_params(session, options);
    if (!session_learn_facts(session, options, &params, problem) ||
        !session_method(session, options->method, &jobs->method, problem)) {
        return false;
    }
    input->head.volume = session->volume;
    input->head.iso = session_iso(session, &options->isos[0]);
    together->wanted = (struct layers){ 0, session->volume.dim[2] - 1 };
    if (options->share) {
        share_layers(
            options->share, options->shares, session->volume.dim[2] - 1, &together->wanted.from,
            &together->wanted.to);
    }
    jobs->session = session;
    jobs->options = options;
    jobs->head = input->head;
    jobs->middle = input->middle;
    return true;
}

// ---- the folder

static bool together_make_folder(const char *path, struct problem *problem)
{
    struct stat st;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return problem_set(
            problem, PROBLEM_OUTPUT, "the folder '%.400s' cannot be made: %s", path,
            strerror(errno));
    }
    return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) ||
           problem_set(problem, PROBLEM_OUTPUT, "'%.400s' is no folder; --resume needs one", path);
}

// The first rank opens the target, so that one that cannot be written is refused before the work.
// And it makes the folder.
static bool together_begin(struct together *together, struct problem *problem)
{
    const struct options *options = together->options;
    const bool hides = !options->resume && options->output;
    if (together->format && (hides || ranks()->count > 1) &&
        (!output_open(options->output, &together->output, problem) ||
         (hides && !output_folder_make(&together->output, 0700, &together->hidden, problem)))) {
        return false;
    }
    if (options->resume && !together_make_folder(options->resume, problem)) {
        return false;
    }
    const char *path = options->resume ? options->resume : together->hidden.path;
    return snprintf(together->folder.path, sizeof together->folder.path, "%s", path) <
               (int)sizeof together->folder.path ||
           problem_set(problem, PROBLEM_OUTPUT, "the path of --resume is too long");
}

// Whether this rank sees the folder that the first rank has made.
static bool together_sees_folder(const char *path, struct problem *problem)
{
    struct stat st;
    return stat(path, &st) == 0 ||
           problem_set(
               problem, PROBLEM_OUTPUT,
               "the folder '%.400s', which rank 0 has made, is not seen here: %s; all processes "
               "must see the same folder",
               path, strerror(errno));
}

// Collective. All ranks learn of the folder that the first one has made.
static bool together_begin_all(struct together *together, struct problem *problem)
{
    return (ranks()->rank > 0 || together_begin(together, problem)) &&
           ranks_share(0, together->folder.path, sizeof together->folder.path, problem);
}

static void together_count(struct together *together)
{
    const struct layers wanted = together->wanted;
    for (size_t i = 0; i < together->folder.count; i++) {
        const struct folder_share *share = &together->folder.list[i];
        if (layers_meet(share->layers, wanted)) {
            together->counts.vertices += share->vertices;
            together->counts.triangles += share->triangles;
            together->counts.active_cells += share->active_cells;
        }
    }
}

// Collective. Makes the layers that no share has.
static bool
together_make(struct together *together, const struct folder_input *input, struct problem *problem)
{
    struct extract_jobs *jobs = &together->jobs;
    struct share_folder *folder = &together->folder;
    const struct options *options = together->options;
    struct layers *lacks = NULL;
    size_t count = 0, before;
    if (!together_begin_all(together, problem) ||
        (folder->path[0] && !together_sees_folder(folder->path, problem))) {
        return false;
    }
    jobs->folder = folder->path[0] ? folder->path : NULL;
    const double start = clock_ms();
    if ((options->resume && !share_folder_read(folder, input, together->wanted, problem)) ||
        !share_folder_lacks(folder, together->wanted, &lacks, &count, problem)) {
        free(lacks);
        return false;
    }
    together->check_ms = clock_ms() - start;
    before = folder->count;
    for (size_t i = 0; i < count; i++) {
        together->layers_made += lacks[i].to - lacks[i].from;
    }
    together->layers_found = together->wanted.to - together->wanted.from - together->layers_made;
    const uint32_t step = extract_jobs_step(&input->head.volume, lacks, count);
    const bool fine = extract_room(jobs, folder, lacks, count, step, together->format, problem) &&
                      extract_jobs_do(jobs, lacks, count, step, problem) &&
                      share_folder_add(folder, jobs->made, jobs->count, problem);
    free(lacks);
    together->shares_found = before;
    together->shares_made = folder->count - before;
    together_count(together);
    return fine;
}

// ---- the mesh

static bool
together_gather(void *user, const void *bytes, size_t size, void *all, struct problem *problem)
{
    (void)user;
    return ranks_gather(bytes, size, all, problem);
}

static bool together_agree(void *user, bool fine, struct problem *problem)
{
    (void)user;
    return ranks_agree(fine, problem);
}

// Collective. All ranks write one file. The first rank, which has opened it, puts it in its place.
static bool together_write_window(
    struct together *together, const struct mesh_source *source, const struct progress *progress,
    struct problem *problem)
{
    const struct options *options = together->options;
    const struct ranks *who = ranks();
    const struct mesh_window window = {
        .rank = who->rank,
        .count = who->count,
        .gather = together_gather,
        .agree = together_agree,
        .pieces = options->pieces,
    };
    char temporary[OUTPUT_SHARED] = "";
    if ((who->rank == 0 && !output_temporary_path(&together->output, temporary, problem)) ||
        !ranks_share(0, temporary, sizeof temporary, problem) ||
        (who->rank > 0 && !output_join(options->output, temporary, &together->output, problem)) ||
        !mesh_write_window(
            source, together->format, &together->jobs.head.volume, &window, &together->output,
            progress, problem)) {
        return false;
    }
    const bool fine = who->rank == 0 || output_commit(&together->output, problem);
    return ranks_agree(fine, problem) &&
           (who->rank > 0 || output_commit(&together->output, problem));
}

static bool
together_write(struct together *together, struct shares *shares, struct problem *problem)
{
    const struct options *options = together->options;
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "writing");
    const struct mesh_write_params params = {
        .format = together->format,
        .volume = &together->jobs.head.volume,
        .progress = &progress,
        .pieces = options->pieces,
    };
    meter.bytes = shares->bytes / (uint64_t)ranks()->count;
    const struct mesh_source *source = shares_source(shares);
    const bool fine = together->output.path || ranks()->count > 1
                          ? together_write_window(together, source, &progress, problem)
                          : mesh_write_source(source, options->output, &params, problem);
    progress_end(&meter);
    together->write_ms = clock_ms() - start;
    return fine;
}

// Opens the shares of all layers, as paths.
static bool together_open_shares(
    const struct together *together, const char ***paths, struct shares *shares,
    struct problem *problem)
{
    const struct share_folder *folder = &together->folder;
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

static bool together_mesh(struct together *together, struct problem *problem)
{
    struct shares shares = { 0 };
    const char **paths = NULL;
    if (!together->format) {
        return true;
    }
    const struct mesh counts = {
        .vertex_count = together->counts.vertices,
        .triangle_count = together->counts.triangles,
    };
    const struct mesh_format *format = together->format;
    const bool fine =
        (!format->check || format->check(&counts, together->options->output, problem)) &&
        together_open_shares(together, &paths, &shares, problem) &&
        shares_index(&shares, problem) && together_write(together, &shares, problem);
    shares_close(&shares);
    for (size_t i = 0; paths && paths[i]; i++) {
        free((char *)paths[i]);
    }
    free(paths);
    return fine;
}

// ---- all of it

bool extract_together(
    struct session *session, const char *path, const struct options *options,
    const struct mesh_format *format, struct together *out, struct measured *measured,
    struct problem *problem)
{
    struct folder_input input = { .path = path };
    *out = (struct together){ .options = options, .format = format };
    if (!together_open(out, session, &input, problem) || !together_make(out, &input, problem)) {
        return false;
    }
    session_warn_if_empty(session, out->counts.triangles, input.head.iso);
    if (!together_mesh(out, problem) || !extract_together_gather(out, session, problem)) {
        return false;
    }
    *measured = out->jobs.measured;
    measured->write_ms += out->write_ms;
    measured->facts_ms = NAN;
    return true;
}

bool extract_together_end(struct together *together, bool fine, struct problem *problem)
{
    // After this no rank reads the others' shares any more.
    fine = ranks_agree(fine, problem);
    output_abort(&together->output);
    const bool hides = together->options && !together->options->resume;
    for (size_t i = 0; hides && together->jobs.folder && i < together->jobs.count; i++) {
        char path[PATH_MAX];
        const char *name = together->jobs.made[i].name;
        if (snprintf(path, sizeof path, "%s/%s", together->jobs.folder, name) < PATH_MAX) {
            unlink(path);
        }
    }
    if (hides && together->jobs.folder) {
        rmdir(together->jobs.folder); // the last rank to come here succeeds
    }
    output_folder_remove(&together->hidden);
    extract_jobs_free(&together->jobs);
    share_folder_free(&together->folder);
    free(together->ranks);
    *together = (struct together){ 0 };
    return fine;
}
