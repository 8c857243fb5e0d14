#include "app/picture/legend.h"

#include "compute/extraction/extraction.h"
#include "shaders/shared/picture.h"

#include <ctype.h>
#include <stdio.h>

// 1234567 -> "1,234,567"
static const char *legend_number(uint64_t value, char out[32])
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = out;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *to++ = ',';
        }
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}

static void legend_share(const char *what, uint64_t count, uint64_t all, char *out, size_t size)
{
    char text[2][32];
    snprintf(
        out, size, "%s: %s of %s (%.3g %%)", what, legend_number(count, text[0]),
        legend_number(all, text[1]), all ? 100 * (double)count / (double)all : 0);
}

// What a method does to the order of the stream. The text follows the method's name.
static const char *const legend_orders[] = {
    [ORDER_NONE] = "gives any order, which may differ from run to run",
    [ORDER_WITHIN_BLOCKS] = "keeps the order within a block; blocks come as they finish",
    [ORDER_FIXED] = "gives an order of its own, always the same",
    [ORDER_STREAM] = "keeps the order of the stream: brick by brick",
};

static void legend_of_levels(
    const struct extraction_result *result, const struct method *method, struct legend *out)
{
    char text[32];
    out->first = "none active";
    out->last = "all, root scale";
    if (method_tiles(method)) {
        snprintf(out->title, sizeof out->title, "HistoPyramid of %s", method->name);
        snprintf(
            out->note, sizeof out->note,
            "Left: its base, the slices as tiles, with the active cells in the order of the list. "
            "Right: the levels above it; a texel counts the active cells of the 2 x 2 below it");
        out->first = "first, or few active";
        out->last = "last, or all, root scale";
        return;
    }
    const uint64_t rows = result->active_bricks * BRICK_ROWS;
    out->levels = 1;
    for (uint64_t nodes = rows; nodes > 1; nodes = (nodes + 3) / 4) {
        out->levels++;
    }
    snprintf(
        out->title, sizeof out->title, "HistoPyramid of %s, %u levels", method->name, out->levels);
    snprintf(
        out->note, sizeof out->note,
        "Each node counts the active cells of the four below it. The base has the rows of the "
        "active bricks, in Z-order.");
    snprintf(out->base, sizeof out->base, "base: %s rows", legend_number(rows, text));
    snprintf(
        out->apex, sizeof out->apex, "apex: %s cells", legend_number(result->active_cells, text));
}

void legend_of(
    enum show show, const struct extraction_result *result, const struct method *method,
    bool in_parts, const uint32_t dim[3], struct legend *out)
{
    *out = (struct legend){ 0 };
    if (show == SHOW_SURFACE) {
        return;
    }
    if (!method) {
        snprintf(
            out->title, sizeof out->title, "No %s: the lists are not on the device",
            show_names[show]);
        snprintf(
            out->note, sizeof out->note, "%s",
            in_parts ? "The surface was made part by part, and each part's lists were dropped."
                     : "They come with the next surface.");
        return;
    }
    if (show == SHOW_LEVELS && method->pyramid == PYRAMID_NONE) {
        snprintf(out->title, sizeof out->title, "%s builds no HistoPyramid", method->name);
        snprintf(
            out->note, sizeof out->note, "Select histopyramid or histopyramid-vec4 to see one.");
        return;
    }
    const uint64_t cells = (uint64_t)(dim[0] - 1) * (dim[1] - 1) * (dim[2] - 1);
    switch (show) {
    case SHOW_BRICKS:
        legend_share(
            "Active bricks", result->active_bricks, result->bricks, out->title, sizeof out->title);
        snprintf(
            out->note, sizeof out->note, "of 32 x 4 x 4 cells; %s",
            result->active_bricks < result->bricks ? "the others are skipped" : "none is skipped");
        break;
    case SHOW_CELLS:
        legend_share("Active cells", result->active_cells, cells, out->title, sizeof out->title);
        snprintf(out->note, sizeof out->note, "a point each; triangles are made only there");
        break;
    case SHOW_ORDER: {
        char text[32];
        snprintf(
            out->title, sizeof out->title, "Order of the %s active cells",
            legend_number(result->active_cells, text));
        snprintf(out->note, sizeof out->note, "%s %s", method->name, legend_orders[method->order]);
        out->first = "first";
        out->last = "last";
        break;
    }
    case SHOW_ATLAS:
        legend_share("Active cells", result->active_cells, cells, out->title, sizeof out->title);
        snprintf(
            out->note, sizeof out->note,
            "Left: in the slices, which are tiles. Right: in the list, row by row; %s %s",
            method->name, legend_orders[method->order]);
        out->first = "first";
        out->last = "last";
        break;
    default:
        legend_of_levels(result, method, out);
        break;
    }
}

void legend_put(const struct legend *legend, FILE *file)
{
    static const uint32_t colours[] = { RAMP };
    const bool sentence = isupper((unsigned char)legend->note[0]);
    fprintf(file, "%s%s %s", legend->title, sentence ? "." : ",", legend->note);
    if (legend->levels > 0) {
        fprintf(file, " %s; %s.", legend->base, legend->apex);
    }
    if (legend->first) {
        fprintf(
            file, "%s colors: #%06x %s to #%06x %s", legend->levels > 0 ? "" : ";", colours[0],
            legend->first, colours[RAMP_STOPS - 1], legend->last);
    }
    fputc('\n', file);
}
