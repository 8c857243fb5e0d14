#include "app/number.h"
#include "app/offscreen.h"
#include "app/progress.h"
#include "app/session.h"
#include "app/target.h"

#include <inttypes.h>
#include <stdio.h>

static bool draw(
    struct session *session, const struct options *options, const char *target,
    struct problem *problem)
{
    struct surface surface = { 0 };
    struct extraction_result result;
    struct extraction_step step = {
        .iso = session_iso(session, &options->isos[0]),
        .target = &surface,
    };
    const struct offscreen_params params = {
        .width = options->width ? options->width : 1280,
        .height = options->height ? options->height : 800,
        .transparent = options->transparent,
        .wireframe = options->wireframe,
    };
    const bool fine =
        session_method(session, options->method, &step.method, problem) &&
        extraction_run(session->extraction, &step, &result, problem) && progress_go_on(problem) &&
        offscreen_render(&session->gpu, &surface, &session->volume, &params, target, problem);
    if (fine) {
        char iso[32];
        fprintf(
            target_is_stdout(target) ? stderr : stdout,
            "%s: %u x %u, isovalue %s, %" PRIu64 " triangles by %s\n",
            target_is_stdout(target) ? "standard output" : target, params.width, params.height,
            number_text(step.iso, iso), result.triangles, step.method->name);
    }
    surface_destroy(&session->gpu, &surface);
    return fine;
}

bool render_picture(
    const char *path, const struct options *options, const char *target, struct problem *problem)
{
    struct session session = { 0 };
    bool fine = session_read(&session, path, options, problem) &&
                session_open(&session, options, problem) &&
                session_upload(&session, options, problem);
    if (fine) {
        session_forget_samples(&session);
        fine = draw(&session, options, target, problem);
    }
    return session_close(&session, fine, problem);
}

bool command_render(const struct options *options, struct problem *problem)
{
    const char *path = options->operands[0];
    if (!options->output) {
        return problem_set(
            problem, PROBLEM_USAGE, "render needs a file to write, such as -o picture.png");
    }
    return target_check(options->output, ".png", path, problem) &&
           render_picture(path, options, options->output, problem);
}
