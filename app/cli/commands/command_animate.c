// A frame depends only on its number: the camera and the isovalue are set anew for each frame. So
// it does not matter which frames were drawn before.
#include "app/base/number.h"
#include "app/base/shell.h"
#include "app/base/target.h"
#include "app/cli/drawing.h"
#include "app/picture/y4m.h"
#include "volumes/base/log.h"
#include "volumes/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Eases the movement, so that it begins and ends without a jolt. `share`: 0 to 1.
static float animate_gently(double share)
{
    return (float)(share * share * (3 - 2 * share));
}

// The position of a frame in the movement, 0 to 1. If the frame at 1 would repeat the first one,
// the last frame is one step before 1.
static double animate_share(const struct motion *motion, uint32_t frame)
{
    const bool loops =
        !motion->has_end && !motion->has_sweep && !motion->planes && fmod(motion->turn, 360) == 0;
    return (double)frame / (loops ? motion->frames : motion->frames - 1);
}

// What all frames start from.
struct animate_start {
    struct view view; // with the camera and the isovalue of the first frame
    struct camera end;
    double ends[CONTOURS_MOST]; // isovalues of the last frame
};

static void animate_set(
    struct drawing *drawing, const struct motion *motion, const struct animate_start *start,
    double share)
{
    struct camera *camera = &drawing->offscreen.view.camera;
    *camera = start->view.camera;
    if (motion->has_end) {
        camera_between(&start->view.camera, &start->end, animate_gently(share), camera);
    }
    camera_turn_about(camera, (float)(motion->turn * share * acos(-1) / 180));
    struct view *view = &drawing->offscreen.view;
    memcpy(view->clips, start->view.clips, sizeof view->clips);
    memcpy(view->sections, start->view.sections, sizeof view->sections);
    planes_at(view->clips, share);
    planes_at(view->sections, share);
    for (uint32_t i = 0; i < view_contours(&start->view); i++) {
        const double from = start->view.isos[i], to = start->ends[i];
        drawing->view.isos[i] = from == to ? from : from * (1 - share) + to * share;
    }
}

// Fits the motion into the picture, unless the user has placed the camera.
static void
animate_fit(const struct drawing *drawing, const struct motion *motion, struct animate_start *start)
{
    struct view *view = &start->view;
    if (view->start.has_pose || (motion->turn == 0 && !motion->has_sweep)) {
        return;
    }
    view_fit_motion(
        view, &drawing->offscreen.placement, &drawing->session.cubes, start->ends,
        (float)(motion->turn * acos(-1) / 180), (float)drawing->picture.width,
        (float)drawing->picture.height);
    camera_approach(&view->camera, view->start.zoom > 0 ? view->start.zoom : 1);
}

// Writes the name of a frame: {n} in a pattern such as "name_{n}.png" becomes its number.
static void
animate_name(const char *pattern, uint32_t frames, uint32_t frame, char *out, size_t size)
{
    const char *at = strstr(pattern, "{n}");
    const int digits = snprintf(NULL, 0, "%u", frames - 1);
    snprintf(
        out, size, "%.*s%0*u%s", (int)(at - pattern), pattern, digits > 4 ? digits : 4, frame,
        at + 3);
}

// After an interrupt, says how to continue. Returns false.
static bool animate_stopped(
    const struct options *options, const struct y4m *film, uint32_t frame, struct problem *problem)
{
    const uint32_t frames = options->motion.frames;
    if (problem->kind != PROBLEM_INTERRUPTED) {
        return false;
    }
    if (film && !target_is_stdout(options->output)) {
        return problem_set(
            problem, PROBLEM_INTERRUPTED,
            "interrupted at frame %u of %u, and no film was written: pictures, such as -o "
            "turn_{n}.png, can be continued",
            frame, frames);
    }
    return problem_set(
        problem, PROBLEM_INTERRUPTED,
        "interrupted at frame %u of %u: the same command with --from %u goes on", frame, frames,
        frame);
}

static bool animate_frames(
    struct drawing *drawing, const struct options *options, struct y4m *film,
    struct problem *problem)
{
    const struct motion *motion = &options->motion;
    const struct canvas *canvas = &drawing->offscreen.canvas;
    struct animate_start start = { .view = drawing->offscreen.view };
    memcpy(start.view.isos, drawing->view.isos, sizeof start.view.isos);
    for (uint32_t i = 0; i < options->iso_count; i++) {
        start.ends[i] = motion->has_sweep ? session_iso(&drawing->session, &motion->ends[i])
                                          : start.view.isos[i];
    }
    animate_fit(drawing, motion, &start);
    start.end = start.view.camera;
    if (motion->has_end) {
        pose_set(&motion->end, &drawing->offscreen.placement, &start.end);
    }
    for (uint32_t frame = motion->from; frame < motion->frames; frame++) {
        struct extract_totals totals;
        animate_set(drawing, motion, &start, animate_share(motion, frame));
        if (!drawing_draw(drawing, &totals, problem)) {
            return animate_stopped(options, film, frame, problem);
        }
        char name[4096];
        if (!film) {
            animate_name(options->output, motion->frames, frame, name, sizeof name);
        }
        if (film ? !y4m_write(film, canvas, problem) : !canvas_write(canvas, name, NULL, problem)) {
            return false;
        }
    }
    return true;
}

// Sets *film: whether -o names a film; otherwise it has {n}. False: -o is neither.
static bool animate_check_output(const struct options *options, bool *film, struct problem *problem)
{
    const char *output = options->output, *number = output ? strstr(output, "{n}") : NULL;
    if (!output) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "animate needs files to write, such as -o turn_{n}.png or -o turn.y4m");
    }
    *film = !number;
    if (number && (strlen(output) > 3900 || strstr(number + 3, "{n}") || strchr(number, '/'))) {
        return problem_set(
            problem, PROBLEM_USAGE, "-o %.80s: expected {n} once, in the name of the file", output);
    }
    if (*film && options->view.background == BACKGROUND_TRANSPARENT) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--background transparent: a film has no alpha; write pictures, such as -o "
            "turn_{n}.png");
    }
    if (*film) {
        return target_check(output, ".y4m", problem);
    }
    bool fine = true;
    for (uint32_t frame = options->motion.from; fine && frame < options->motion.frames; frame++) {
        char name[4096];
        animate_name(output, options->motion.frames, frame, name, sizeof name);
        fine = target_check(name, ".png", problem);
    }
    return fine;
}

static void animate_report(const struct options *options, const struct drawing *drawing)
{
    const struct motion *motion = &options->motion;
    const char *output = options->output;
    FILE *file = target_is_stdout(output) ? stderr : stdout;
    printable_put(target_is_stdout(output) ? "standard output" : output, file);
    fprintf(
        file, ": %u frames of %u x %u", motion->frames - motion->from, drawing->picture.width,
        drawing->picture.height);
    if (motion->from) {
        fprintf(file, ", from frame %u on", motion->from);
    }
    fputc('\n', file);
    const size_t stem = strlen(output) - strlen(".y4m");
    if (strlen(output) > strlen(".y4m") && strcmp(output + stem, ".y4m") == 0) {
        char encoded[4096];
        snprintf(encoded, sizeof encoded, "%.*s.mp4", (int)stem, output);
        fputs("to encode it: ffmpeg -i ", file);
        shell_put(output, file);
        // Players accept only this format, and only with an even number of pixels along each side.
        const bool odd = drawing->picture.width % 2 || drawing->picture.height % 2;
        fputs(odd ? " -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2'" : "", file);
        fputs(" -pix_fmt yuv420p ", file);
        shell_put(encoded, file);
        fputc('\n', file);
    }
}

static bool animate_check(struct options *options, bool *is_film, struct problem *problem)
{
    struct motion *motion = &options->motion;
    motion->planes = planes_move(options->view.clips) || planes_move(options->view.sections);
    if (motion->turn == 0 && !motion->has_sweep && !motion->has_end && !motion->planes) {
        motion->turn = 360;
    }
    motion->frames = motion->frames ? motion->frames : 120;
    motion->fps = motion->fps ? motion->fps : 30;
    return (motion->from < motion->frames ||
            problem_set(
                problem, PROBLEM_USAGE, "--from %u: of %u frames the last one is frame %u",
                motion->from, motion->frames, motion->frames - 1)) &&
           animate_check_output(options, is_film, problem);
}

bool command_animate(const struct options *given, struct problem *problem)
{
    struct options options = *given;
    bool is_film = false;
    if (!animate_check(&options, &is_film, problem)) {
        return false;
    }
    struct drawing drawing = { 0 };
    struct y4m film = { 0 };
    bool fine = drawing_open(&drawing, options.operands[0], &options, problem);
    if (fine && is_film) {
        fine = y4m_open(
            options.output, drawing.picture.width, drawing.picture.height, options.motion.fps,
            &film, problem);
    }
    fine = fine && animate_frames(&drawing, &options, is_film ? &film : NULL, problem);
    fine = is_film ? y4m_close(&film, fine, problem) : fine;
    if (fine && !options.quiet) {
        animate_report(&options, &drawing);
    }
    return drawing_close(&drawing, fine, problem);
}
