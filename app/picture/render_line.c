#include "app/picture/render_line.h"

#include "app/base/number.h"
#include "app/base/shell.h"
#include "app/settings/table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void render_line_put(FILE *out, const char *word)
{
    fputc(' ', out);
    shell_put(word, out);
}

// Puts the options that say how the file is read.
void render_line_volume(const struct volume_params *volume, render_line_option *put, void *user)
{
    char text[3][32], value[120];
    if (volume->dim[0]) {
        snprintf(value, sizeof value, "%ux%ux%u", volume->dim[0], volume->dim[1], volume->dim[2]);
        put(user, "dims", value);
    }
    if (volume->has_type) {
        put(user, "type", volume_type_name(volume->type));
    }
    if (volume->order != BYTE_ORDER_UNSAID) {
        put(user, "endian", volume->order == BYTE_ORDER_BIG ? "big" : "little");
    }
    if (volume->offset) {
        snprintf(value, sizeof value, "%" PRIu64, volume->offset);
        put(user, "offset", value);
    }
    if (volume->spacing[0] > 0) {
        snprintf(
            value, sizeof value, "%s,%s,%s", number_text(volume->spacing[0], text[0]),
            number_text(volume->spacing[1], text[1]), number_text(volume->spacing[2], text[2]));
        put(user, "spacing", value);
    }
    if (volume->atlas[0]) {
        snprintf(value, sizeof value, "%ux%u", volume->atlas[0], volume->atlas[1]);
        put(user, "atlas", value);
    }
    if (volume->slices) {
        snprintf(value, sizeof value, "%u", volume->slices);
        put(user, "slices", value);
    }
    if (volume->pick.array) {
        put(user, "array", volume->pick.array);
    }
    const struct {
        const char *name;
        uint32_t number;
    } picks[] = { { "time", volume->pick.time },
                  { "channel", volume->pick.channel },
                  { "level", volume->pick.level } };
    for (size_t i = 0; i < sizeof picks / sizeof *picks; i++) {
        if (picks[i].number > 0) {
            snprintf(value, sizeof value, "%u", picks[i].number - 1);
            put(user, picks[i].name, value);
        }
    }
    if (volume->gaps) {
        put(user, "gaps", volume->gaps == GAPS_BLANK ? "blank" : "resample");
    }
    if (volume->axis_index) {
        put(user, "axis-index", volume->axis_index);
    }
    if (volume->max_input) { // in GiB
        put(user, "max-input", number_text((double)volume->max_input / 0x1p30, text[0]));
    }
}

const char *render_line_isos(const struct view *view, bool autos, char text[SETTING_TEXT])
{
    int length = 0;
    for (uint32_t i = 0; i < view_contours(view); i++) {
        char iso[32];
        length += snprintf(
            text + length, SETTING_TEXT - (size_t)length, "%s%s", i ? "," : "",
            autos && view->auto_isos[i] ? "auto" : number_text(view->isos[i], iso));
    }
    return text;
}

void render_line_view(
    const struct view *view, const struct placement *placement, render_line_option *put, void *user)
{
    char text[SETTING_TEXT];
    for (const struct setting *row = settings_table; row->size; row++) {
        const bool applies = view_uses(view, row) && setting_applies(row, view);
        const char *value = row->option && !row->member && applies
                                ? setting_print(row, view, placement, text)
                                : NULL;
        if (value) {
            put(user, row->option, row->value ? value : NULL);
        }
    }
}

// `user` is a FILE.
static void render_line_put_option(void *user, const char *name, const char *value)
{
    fprintf(user, " --%s", name);
    if (value) {
        render_line_put(user, value);
    }
}

char *render_line_text(const struct render_line *line)
{
    char *text = NULL, whole[PATH_MAX], isos[SETTING_TEXT];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return NULL;
    }
    fputs("cubist render", out);
    if (line->path) {
        render_line_put(out, realpath(line->path, whole) ? whole : line->path);
        render_line_volume(line->volume, render_line_put_option, out);
    }
    render_line_put_option(out, "iso", render_line_isos(line->view, false, isos));
    fprintf(out, " --size %ux%u", line->width, line->height);
    render_line_view(line->view, line->placement, render_line_put_option, out);
    const bool listed = line->view->show != SHOW_SURFACE && line->view->draw != DRAW_RAYS;
    if (listed && line->view->every_brick) {
        render_line_put_option(out, "no-skip", NULL); // the lists are of all bricks
    }
    if (listed && line->method) {
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
