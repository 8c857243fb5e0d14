#include "app/cli/extract_share.h"

#include "app/base/report.h"
#include "app/base/target.h"
#include "app/cli/slice_sums.h"

#include <string.h>
#include <strings.h>

// Whether -o is not the name of a mesh.
static bool extract_share_named(const struct options *options, struct problem *problem)
{
    const char *dot = strrchr(options->output, '.');
    const struct mesh_format *format = NULL;
    for (size_t i = 0; dot && (format = mesh_format_at(i)); i++) {
        if (strcasecmp(dot, format->extension) == 0) {
            return problem_set(
                problem, PROBLEM_USAGE,
                "%.400s: --share writes a share, not a mesh; expected a name that ends in %s, such "
                "as mesh.%u%s",
                options->output, SHARE_EXTENSION, options->share, SHARE_EXTENSION);
        }
    }
    return true;
}

bool extract_share_check(const struct options *options, struct problem *problem)
{
    if (options->isos[0].kind != ISOVALUE_NUMBER) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--share needs --iso with a number, because no share sees the whole volume; cubist "
            "info %.400s suggests one",
            options->operands[0]);
    }
    if (!options->output && !options->resume) {
        return problem_set(
            problem, PROBLEM_USAGE, "--share needs a file to write, such as -o mesh.%u.share",
            options->share);
    }
    if (options->output && options->resume) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--share with --resume takes no -o: it fills the folder; the run without --share, or "
            "cubist merge, writes the mesh");
    }
    if (options->mesh_format || options->pieces) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--share takes no --%s: give it to cubist merge, which writes the mesh",
            options->mesh_format ? "format" : "pieces");
    }
    return options->resume || (extract_share_named(options, problem) &&
                               target_check(options->output, SHARE_EXTENSION, problem));
}

bool extract_load(
    struct session *session, const char *path, const struct options *options,
    struct share_head *head, struct problem *problem)
{
    const bool fine = session_load(session, path, options, "extracted", problem);
    *head = (struct share_head){
        .input_bytes = session->files.bytes,
        .input_time = session->files.time,
        .volume = session->volume,
    };
    return fine;
}

struct share_making {
    struct session *session;
    struct share_writer writer;
    struct measured *out;
};

static bool
extract_share_part(void *user, struct extract *extract, struct part *part, struct problem *problem)
{
    (void)extract;
    struct share_making *making = user;
    const struct atlas_part *cells = &part->cells;
    extract_add_stages(&making->out->result, part->result);
    return progress_go_on(problem) && share_writer_part(
                                          &making->writer, part->mesh, part->vertices, cells->first,
                                          cells->first + cells->layers, problem);
}

static bool extract_share_make(
    struct share_making *making, const struct options *options, struct slice_sums *sums,
    struct problem *problem)
{
    struct session *session = making->session;
    struct measured *out = making->out;
    const struct share_head *head = &making->writer.head;
    struct query query = { .mesh = true, .iso = head->iso };
    if (!session_method(session, options->method, &query.method, problem)) {
        return false;
    }
    const struct parts_params params = session_parts_params(session, options);
    const double start = clock_ms();
    // Slices that the share does not read come first or last, so that a compressed file is decoded
    // once.
    session->sums = sums;
    if (!slice_sums_read(sums, head->from > 0 ? head->from - 1 : 0, problem) ||
        !session_parts(session, options, &params, problem) ||
        !session_each(
            session, &query, "extracting", extract_share_part, making, &out->totals, problem) ||
        !slice_sums_read(sums, UINT32_MAX, problem)) {
        return false;
    }
    out->extract_ms = clock_ms() - start;
    measured_count(out, session, &query);
    const double before = clock_ms();
    const uint32_t found[SHARE_SUMS] = { sums->list[0].sum, sums->list[1].sum, sums->list[2].sum };
    const bool fine =
        share_writer_commit(&making->writer, out->totals.active_cells, found, problem);
    out->write_ms = clock_ms() - before;
    return fine;
}

bool extract_share(
    struct session *session, const char *path, const struct options *options, struct measured *out,
    struct problem *problem)
{
    struct share_making making = { .session = session, .out = out };
    struct share_head head;
    struct slice_sum slices[SHARE_SUMS] = { 0 };
    struct slice_sums sums;
    uint32_t z[SHARE_SUMS];
    *out = (struct measured){ 0 };
    if (!extract_load(session, path, options, &head, problem)) {
        return false;
    }
    head.iso = options->isos[0].value;
    share_layers(options->share, options->shares, session->volume.dim[2] - 1, &head.from, &head.to);
    share_slices(&head, z);
    for (int i = 0; i < SHARE_SUMS; i++) {
        slices[i].z = z[i];
    }
    slice_sums_begin(&session->volume, &session->file, slices, SHARE_SUMS, &sums);
    const bool fine = share_writer_open(options->output, &head, &making.writer, problem) &&
                      extract_share_make(&making, options, &sums, problem);
    share_writer_abort(&making.writer);
    session->sums = NULL;
    return fine;
}

static struct surface_counts extract_share_counts(const struct measured *measured)
{
    return (struct surface_counts){
        .active_cells = measured->result.active_cells,
        .vertices = measured->result.vertices,
        .triangles = measured->result.triangles,
    };
}

void extract_share_json(
    const struct session *session, const struct options *options, const struct measured *measured,
    json_t *json)
{
    const struct surface_counts counts = extract_share_counts(measured);
    uint32_t from, to;
    share_layers(options->share, options->shares, session->volume.dim[2] - 1, &from, &to);
    json_t *object = json_add_object(json, "share");
    json_add_count(object, "number", options->share);
    json_add_count(object, "of", options->shares);
    json_add_count(object, "first_layer", from);
    json_add_count(object, "layers", to - from);
    json_add_number(json, "iso", measured->result.iso);
    json_add_text(json, "method", measured->result.method->name);
    choices_json(&measured->result, json);
    surface_json(&counts, NULL, json);
}

void extract_share_text(
    const struct session *session, const struct options *options, const struct measured *measured,
    FILE *file)
{
    const struct surface_counts counts = extract_share_counts(measured);
    uint32_t from, to;
    share_layers(options->share, options->shares, session->volume.dim[2] - 1, &from, &to);
    fprintf(file, "share         %u of %u: ", options->share, options->shares);
    if (from == to) {
        fprintf(file, "no layer of %u\n", session->volume.dim[2] - 1);
    } else {
        fprintf(file, "layers %u to %u of %u\n", from, to - 1, session->volume.dim[2] - 1);
    }
    surface_text(&counts, NULL, file);
}
