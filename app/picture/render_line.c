#include "app/picture/render_line.h"

#include "app/base/number.h"
#include "app/base/shell.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static void render_line_put(FILE *out, const char *word)
{
    fputc(' ', out);
    shell_put(word, out);
}

static void render_line_put_option(FILE *out, const char *name, const char *value)
{
    fprintf(out, " --%s", name);
    render_line_put(out, value);
}

// How the file is read.
static void render_line_put_volume(FILE *out, const struct volume_params *volume)
{
    char text[3][32];
    if (volume->dim[0]) {
        fprintf(out, " --dims %ux%ux%u", volume->dim[0], volume->dim[1], volume->dim[2]);
    }
    if (volume->has_type) {
        render_line_put_option(out, "type", volume_type_name(volume->type));
    }
    if (volume->order != BYTE_ORDER_UNSAID) {
        render_line_put_option(out, "endian", volume->order == BYTE_ORDER_BIG ? "big" : "little");
    }
    if (volume->offset) {
        fprintf(out, " --offset %" PRIu64, volume->offset);
    }
    if (volume->spacing[0] > 0) {
        fprintf(
            out, " --spacing %s,%s,%s", number_text(volume->spacing[0], text[0]),
            number_text(volume->spacing[1], text[1]), number_text(volume->spacing[2], text[2]));
    }
    if (volume->atlas[0]) {
        fprintf(out, " --atlas %ux%u", volume->atlas[0], volume->atlas[1]);
    }
    if (volume->slices) {
        fprintf(out, " --slices %u", volume->slices);
    }
    if (volume->array) {
        render_line_put_option(out, "array", volume->array);
    }
    if (volume->max_input) { // in GiB
        fprintf(out, " --max-input %s", number_text((double)volume->max_input / 0x1p30, text[0]));
    }
}

static void
render_line_put_view(FILE *out, const struct view *view, const struct placement *placement)
{
    static const struct {
        size_t place;
        const char *name;
    } switches[] = {
        { offsetof(struct view, camera.ortho), "ortho" },
        { offsetof(struct view, wireframe), "wireframe" },
        { offsetof(struct view, edges), "edges" },
        { offsetof(struct view, flat), "flat" },
        { offsetof(struct view, box), "box" },
    };
    static const char *const backgrounds[] = { NULL, "light", "white", "transparent", NULL };
    char camera[POSE_TEXT], colour[8];
    if (view->up_is_set) {
        const char *up = up_name(view->up);
        render_line_put_option(out, "up", *up == '+' ? up + 1 : up);
    }
    render_line_put_option(out, "camera", pose_text(&view->camera, placement, camera));
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (*(const bool *)((const char *)view + switches[i].place)) {
            fprintf(out, " --%s", switches[i].name);
        }
    }
    if (view->look != LOOK_BONE) {
        render_line_put_option(out, "look", look_names[view->look]);
    }
    if (view->light != LIGHT_OCCLUSION) {
        render_line_put_option(out, "light", light_names[view->light]);
    }
    if (view->show != SHOW_SURFACE) {
        render_line_put_option(out, "show", show_names[view->show]);
    }
    if (view->light_samples) {
        fprintf(out, " --light-samples %u", view->light_samples);
    }
    if (view->samples) {
        fprintf(out, " --samples %u", view->samples);
    }
    if (view->background == BACKGROUND_COLOUR) {
        render_line_put_option(out, "background", colour_text(&view->background_colour, colour));
    } else if (view->background != BACKGROUND_DARK) {
        render_line_put_option(out, "background", backgrounds[view->background]);
    }
    if (view->colour.set) {
        render_line_put_option(out, "color", colour_text(&view->colour, colour));
    }
}

char *render_line_text(const struct render_line *line)
{
    char *text = NULL, whole[PATH_MAX], iso[32];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    fputs("cubist render", out);
    if (line->path) {
        render_line_put(out, realpath(line->path, whole) ? whole : line->path);
        render_line_put_volume(out, line->volume);
    }
    render_line_put_option(out, "iso", number_text(line->view->iso, iso));
    fprintf(out, " --size %ux%u", line->width, line->height);
    render_line_put_view(out, line->view, line->placement);
    if (line->view->show != SHOW_SURFACE && line->method) {
        render_line_put_option(out, "method", line->method);
    }
    if (line->device) {
        render_line_put_option(out, "device", line->device);
    }
    fputs(" -o", out);
    render_line_put(out, line->output);
    const bool fine = !ferror(out);
    if (fclose(out) != 0 || !fine) {
        free(text);
        return NULL;
    }
    return text;
}
