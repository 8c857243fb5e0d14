#include "app/base/number.h"
#include "app/base/target.h"
#include "app/cli/drawing.h"
#include "volumes/base/printable.h"

#include <inttypes.h>
#include <stdio.h>

static void render_report(
    struct drawing *drawing, const struct extract_totals *totals, const char *target,
    const char *placed)
{
    char iso[32];
    FILE *file = target_is_stdout(target) ? stderr : stdout;
    printable_put(placed ? placed : file == stderr ? "standard output" : target, file);
    fprintf(
        file, ": %u x %u, isovalue %s, %" PRIu64 " triangles by %s\n", drawing->picture.width,
        drawing->picture.height, number_text(drawing->view.iso, iso), totals->triangles,
        drawing->view.method->name);
    if (drawing->legend.title[0]) {
        legend_put(&drawing->legend, file);
    }
    if (drawing->session.reports_parts) {
        session_parts_text(&drawing->session, totals, file);
    }
}

bool render_picture(
    const char *path, const struct options *options, const char *target, char *placed,
    struct problem *problem)
{
    struct drawing drawing = { 0 };
    struct extract_totals totals = { 0 };
    const bool fine = drawing_open(&drawing, path, options, problem) &&
                      drawing_draw(&drawing, &totals, problem) &&
                      offscreen_save(&drawing.offscreen, target, placed, problem);
    if (fine) {
        session_warn_if_empty(&drawing.session, totals.triangles, drawing.view.iso);
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
    return target_check(options->output, ".png", problem) &&
           render_picture(path, options, options->output, NULL, problem);
}
