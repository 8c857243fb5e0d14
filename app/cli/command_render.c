#include "app/base/number.h"
#include "app/cli/piecewise.h"
#include "app/base/progress.h"
#include "app/base/target.h"
#include "app/picture/offscreen.h"
#include "volumes/base/printable.h"

#include <inttypes.h>
#include <stdio.h>

static bool draw_whole(
    struct session *session, const struct options *options, struct offscreen *offscreen,
    struct extraction_result *result, const char *target, char *placed, struct problem *problem)
{
    struct surface surface = { 0 };
    struct extraction_step step = {
        .iso = session_iso(session, &options->isos[0]),
        .target = &surface,
    };
    const bool fine = session_method(session, options->method, &step.method, problem) &&
                      extraction_run(session->extraction, &step, result, problem) &&
                      progress_go_on(problem) &&
                      offscreen_save(offscreen, &surface, target, placed, problem);
    surface_destroy(&session->gpu, &surface);
    return fine;
}

static bool add_surface(
    void *user, const struct atlas *atlas, struct surface *surface,
    const struct extraction_result *result, struct problem *problem)
{
    (void)atlas;
    return result->triangles == 0 || offscreen_add(user, surface, problem);
}

static bool draw_pieces(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    struct offscreen *offscreen, const char *target, char *placed, struct problem *problem)
{
    const struct slabs_sink sink = { .surface = add_surface, .user = offscreen };
    return piecewise_begin(piecewise, session, options, problem) &&
           piecewise_run(piecewise, session, "drawing", &sink, problem) &&
           offscreen_save(offscreen, NULL, target, placed, problem);
}

static bool draw(
    struct piecewise *piecewise, struct session *session, const struct options *options,
    const char *target, char *placed, struct problem *problem)
{
    const struct offscreen_params params = {
        .width = options->width ? options->width : 1280,
        .height = options->height ? options->height : 800,
        .transparent = options->transparent,
        .wireframe = options->wireframe,
    };
    struct offscreen offscreen = { 0 };
    struct extraction_result result = { 0 };
    bool fine = false;
    if (!piecewise->chosen) {
        if (!session_upload(session, options, problem)) {
            return false;
        }
        session_forget_samples(session);
    }
    if (offscreen_open(&session->gpu, &session->volume, &params, &offscreen, problem)) {
        if (!piecewise->chosen) {
            fine = draw_whole(session, options, &offscreen, &result, target, placed, problem);
        } else {
            fine = draw_pieces(piecewise, session, options, &offscreen, target, placed, problem);
            result.iso = piecewise->step.iso;
            result.method = piecewise->step.method;
            result.triangles = piecewise->found.triangles;
        }
    }
    offscreen_close(&offscreen);
    if (fine && !options->quiet) {
        char iso[32];
        FILE *file = target_is_stdout(target) ? stderr : stdout;
        printable_put(placed ? placed : file == stderr ? "standard output" : target, file);
        fprintf(
            file, ": %u x %u, isovalue %s, %" PRIu64 " triangles by %s\n", params.width,
            params.height, number_text(result.iso, iso), result.triangles, result.method->name);
        if (piecewise->chosen) {
            piecewise_text(piecewise, file);
        }
    }
    return fine;
}

bool render_picture(
    const char *path, const struct options *options, const char *target, char *placed,
    struct problem *problem)
{
    struct session session = { 0 };
    struct piecewise piecewise = { 0 };
    const bool fine = piecewise_choose(&piecewise, &session, path, options, "drawn", problem) &&
                      draw(&piecewise, &session, options, target, placed, problem);
    piecewise_close(&piecewise);
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
