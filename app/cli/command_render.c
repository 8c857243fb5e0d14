#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/base/target.h"
#include "app/cli/session.h"
#include "app/picture/offscreen.h"
#include "volumes/base/printable.h"

#include <inttypes.h>
#include <stdio.h>

// Draws a part. If the picture leaves no room for it, the part is made again, smaller.
static bool
render_part(void *offscreen, struct extract *extract, struct part *part, struct problem *problem)
{
    struct problem why = { 0 };
    return part->result->triangles == 0 || offscreen_add(offscreen, part->surface, &why) ||
           extract_again(extract, &why) || problem_set(problem, why.kind, "%s", why.text);
}

static bool render_bands(
    struct session *session, const struct query *query, struct offscreen *offscreen,
    struct extract_totals *totals, struct problem *problem)
{
    for (bool more = true; more;) {
        if (!session_each(session, query, "drawing", render_part, offscreen, totals, problem)) {
            return false;
        }
        if (!offscreen_finish(offscreen, &more, problem)) {
            return false;
        }
    }
    return true;
}

static bool render_surface(
    struct session *session, const struct options *options, const char *target, char *placed,
    struct problem *problem)
{
    struct offscreen_params picture = {
        .width = options->width ? options->width : 1280,
        .height = options->height ? options->height : 800,
    };
    struct parts_params params = session_parts_params(session, options);
    struct view view = options->view;
    struct offscreen offscreen = { 0 };
    struct extract_totals totals = { 0 };
    struct gpu *gpu = &session->gpu;
    struct problem why;
    if (!picture_samples(gpu, view.samples, &picture.samples, problem)) {
        return false;
    }
    offscreen_fit(gpu, &picture);
    const uint64_t room = offscreen_bytes(gpu, &picture);
    if (room >= GPU_TOO_MUCH) {
        const struct gpu_limits *limits = &gpu->limits;
        const uint64_t most =
            limits->image < limits->allocation ? limits->image : limits->allocation;
        return problem_set(
            problem, PROBLEM_LIMIT,
            "a picture of %ux%u needs an image of more than %.1f MiB, which this device does not "
            "make, with %.1f MiB free: ask for a smaller --size",
            picture.width, picture.height, (double)most / 1048576,
            (double)gpu_memory_free(gpu) / 1048576);
    }
    // The parts must leave room for the picture.
    params.reserve = gpu->budget.reserve[PURPOSE_PICTURE] = room;
    bool fine = session_method(session, options->method, &view.method, problem);
    if (fine && !session_parts(session, options, &params, &why)) {
        char beside[120] = "";
        if (why.kind == PROBLEM_DEVICE_MEMORY) {
            snprintf(
                beside, sizeof beside,
                "beside the picture of %ux%u, which takes %.1f MiB (a smaller --size takes less), ",
                picture.width, picture.height, (double)room / 1048576);
        }
        fine = problem_set(problem, why.kind, "%s%s", beside, why.text);
    }
    if (fine) {
        view.iso = session_iso(session, &options->isos[0]);
        const struct query query = { .iso = view.iso, .method = view.method, .draws = true };
        fine = offscreen_open(
                   &session->gpu, &session->volume, &session->cubes, &view, &picture, &offscreen,
                   problem) &&
               render_bands(session, &query, &offscreen, &totals, problem) &&
               offscreen_save(&offscreen, target, placed, problem);
    }
    offscreen_close(&offscreen);
    if (fine) {
        session_warn_if_empty(session, totals.triangles, view.iso);
    }
    if (fine && !options->quiet) {
        char iso[32];
        FILE *file = target_is_stdout(target) ? stderr : stdout;
        printable_put(placed ? placed : file == stderr ? "standard output" : target, file);
        fprintf(
            file, ": %u x %u, isovalue %s, %" PRIu64 " triangles by %s\n", picture.width,
            picture.height, number_text(view.iso, iso), totals.triangles, view.method->name);
        if (session->reports_parts) {
            session_parts_text(session, &totals, file);
        }
    }
    return fine;
}

bool render_picture(
    const char *path, const struct options *options, const char *target, char *placed,
    struct problem *problem)
{
    struct session session = { .draws = true };
    const bool fine = session_load(&session, path, options, "drawn", problem) &&
                      render_surface(&session, options, target, placed, problem);
    return session_close(&session, fine, problem);
}

bool command_render(const struct options *options, struct problem *problem)
{
    const char *path = options->operands[0];
    if (!options->output) {
        return problem_set(
            problem, PROBLEM_USAGE, "render needs a file to write, such as -o picture.png");
    }
    return target_check(options->output, ".png", problem) &&
           render_picture(path, options, options->output, NULL, problem);
}
