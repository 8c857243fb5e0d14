#include "app/base/number.h"
#include "app/base/target.h"
#include "app/cli/drawing.h"
#include "app/picture/render_line.h"
#include "app/ranks/ranks.h"
#include "volumes/base/printable.h"

#include <stdio.h>

static void render_report(
    struct drawing *drawing, const struct extract_totals *totals, const char *target,
    const char *placed)
{
    char isos[SETTING_TEXT], count[32];
    FILE *file = target_is_stdout(target) ? stderr : stdout;
    printable_put(placed ? placed : file == stderr ? "standard output" : target, file);
    const bool rays = drawing->view.draw == DRAW_RAYS;
    fprintf(
        file, ": %u x %u, isovalue%s %s, %s %s by %s", drawing->picture.width,
        drawing->picture.height, drawing->view.further ? "s" : "",
        render_line_isos(&drawing->view, false, isos),
        number_thousands(rays ? drawing->hits : totals->triangles, count),
        rays ? "hits of rays" : "triangles",
        rays ? drawing->casting.caster->name : drawing->view.method->name);
    if (rays && drawing->casting.caster->wavefront) {
        fprintf(file, " with %s", wavefront_method(drawing->view.method)->name);
    }
    if (ranks()->count > 1) {
        fprintf(file, ", on %d ranks\n", ranks()->count);
        return;
    }
    fputc('\n', file);
    if (drawing->legend.title[0]) {
        legend_put(&drawing->legend, file);
    }
    if (drawing->session.reports_parts && !rays) {
        session_parts_text(&drawing->session, totals, file);
    }
}

// Checks that several ranks can draw the picture with the same pixels as one process.
static bool render_by_ranks(const struct options *options, struct problem *problem)
{
    const struct view *view = &options->view;
    if (view->wireframe || view->edges || view->show != SHOW_SURFACE || view->draw == DRAW_RAYS) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "several ranks draw only the surface's triangles: leave --%s out, or draw it with "
            "cubist",
            view->wireframe           ? "wireframe"
            : view->edges             ? "edges"
            : view->draw == DRAW_RAYS ? "draw rays"
                                      : "show");
    }
    return !target_is_stdout(options->output) ||
           problem_set(
               problem, PROBLEM_USAGE,
               "several ranks do not write to standard output: give a file, such as -o "
               "picture.png");
}

// Sums the triangles of all ranks. Collective.
static bool render_count(struct extract_totals *totals, struct problem *problem)
{
    int64_t triangles = (int64_t)totals->triangles;
    const bool fine = ranks_sum(&triangles, 1, problem);
    totals->triangles = (uint64_t)triangles;
    return fine;
}

bool render_picture(
    const char *path, const struct options *options, const char *target, char *placed,
    struct problem *problem)
{
    struct drawing drawing = { 0 };
    struct extract_totals totals = { 0 };
    const bool fine =
        drawing_open(&drawing, path, options, problem) &&
        drawing_draw(&drawing, &totals, problem) && render_count(&totals, problem) &&
        (ranks()->rank > 0 || canvas_write(&drawing.offscreen.canvas, target, placed, problem));
    if (ranks()->rank > 0) {
        return drawing_close(&drawing, fine, problem);
    }
    if (fine && drawing.view.draw == DRAW_TRIANGLES) {
        session_warn_if_empty(&drawing.session, totals.triangles, drawing.view.isos[0]);
    }
    if (fine && !options->quiet) {
        render_report(&drawing, &totals, target, placed);
    }
    return drawing_close(&drawing, fine, problem);
}

bool command_render(const struct options *options, struct problem *problem)
{
    const char *path = options->operands[0];
    if (!options->output) {
        return problem_set(
            problem, PROBLEM_USAGE, "render needs a file to write, such as -o picture.png");
    }
    return (ranks()->count == 1 || render_by_ranks(options, problem)) &&
           (ranks()->rank > 0 || target_check(options->output, ".png", problem)) &&
           render_picture(path, options, options->output, NULL, problem);
}
