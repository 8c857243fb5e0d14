#include "app/cli/measure.h"

#include "app/base/choices.h"
#include "app/base/progress.h"

#include <inttypes.h>
#include <math.h>

static bool extract(
    struct session *session, const struct options *options, struct measured *out,
    struct problem *problem)
{
    struct surface surface = { 0 };
    struct extraction_step step = {
        .iso = session_iso(session, &options->isos[0]),
        .target = &surface,
    };
    bool fine = false;
    double start = clock_ms();
    if (!session_method(session, options->method, &step.method, problem) ||
        !extraction_run(session->extraction, &step, &out->result, problem) ||
        !progress_go_on(problem)) {
        goto end;
    }
    out->extract_ms = clock_ms() - start;

    start = clock_ms();
    if (!extraction_download(session->extraction, &surface, &out->result, &out->mesh, problem) ||
        !progress_go_on(problem)) {
        goto end;
    }
    out->download_ms = clock_ms() - start;
    fine = true;
end:
    surface_destroy(&session->gpu, &surface);
    return fine;
}

bool measure(
    struct session *session, const struct options *options, struct measured *out,
    struct problem *problem)
{
    *out = (struct measured){ 0 };
    if ((!session->gpu.device && !session_open(session, options, problem)) ||
        !session_upload(session, options, problem)) {
        return false;
    }
    session_forget_samples(session);
    if (!extract(session, options, out, problem)) {
        goto fail;
    }
    const double start = clock_ms();
    mesh_to_world(&out->mesh, &session->volume);
    if (!mesh_facts(&out->mesh, session->volume.dim, &out->facts, problem) ||
        !progress_go_on(problem)) {
        goto fail;
    }
    out->facts_ms = clock_ms() - start;
    out->device_bytes = session->gpu.budget.peak;
    return true;
fail:
    measured_destroy(out);
    return false;
}

void measured_destroy(struct measured *measured)
{
    mesh_destroy(&measured->mesh);
    *measured = (struct measured){ 0 };
}

void measured_json(const struct measured *measured, json_t *json)
{
    const struct extraction_result *result = &measured->result;
    const struct mesh_facts *facts = &measured->facts;
    json_add_number(json, "iso", result->iso);
    json_add_text(json, "method", result->method->name);
    choices_json(result, json);
    json_add_count(json, "active_cells", result->active_cells);
    json_add_count(json, "vertices", result->vertices);
    json_add_count(json, "triangles", result->triangles);
    json_add_number(json, "area", facts->area);
    json_add_number(json, "volume", facts->closed ? facts->volume : NAN);
    json_add_count(json, "parts", facts->parts);
    json_add_integer(json, "euler", facts->euler);
    json_add_bool(json, "watertight", facts->watertight);
    json_add_bool(json, "closed", facts->closed);
    json_add_count(json, "open_edges", facts->open_edges);
    json_t *bounds = json_add_array(json, "bounds");
    json_add_numbers(bounds, NULL, facts->bounds[0], 3);
    json_add_numbers(bounds, NULL, facts->bounds[1], 3);
}

void measured_text(const struct measured *measured, FILE *file)
{
    const struct extraction_result *result = &measured->result;
    const struct mesh_facts *facts = &measured->facts;
    fprintf(file, "active cells  %" PRIu64 "\n", result->active_cells);
    fprintf(file, "vertices      %" PRIu64 "\n", result->vertices);
    fprintf(file, "triangles     %" PRIu64 "\n", result->triangles);
    fprintf(file, "area          %.9g\n", facts->area);
    if (facts->closed) {
        fprintf(file, "volume        %.9g\n", facts->volume);
    } else {
        fprintf(
            file, "volume        none: the surface is open along %" PRIu64 " edges\n",
            facts->open_edges);
    }
    fprintf(file, "parts         %" PRIu64 "\n", facts->parts);
    fprintf(file, "Euler number  %" PRId64 "\n", facts->euler);
    fprintf(
        file, "watertight    %s\n",
        !facts->watertight ? "no"
        : facts->closed    ? "yes"
                           : "yes, but for where the volume ends");
    for (int axis = 0; axis < 3 && result->vertices > 0; axis++) {
        fprintf(
            file, "%s%.9g to %.9g\n",
            (const char *[]){ "bounds        x ", "              y ", "              z " }[axis],
            facts->bounds[0][axis], facts->bounds[1][axis]);
    }
}
