#include "app/picture/canvas.h"

#include "app/picture/png.h"
#include "app/settings/colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool canvas_create(
    uint32_t width, uint32_t height, bool transparent, struct canvas *out, struct problem *problem)
{
    *out = (struct canvas){ .width = width, .height = height, .transparent = transparent };
    out->pixels = malloc((size_t)width * height * (transparent ? 4 : 3));
    return out->pixels ||
           problem_set(
               problem, PROBLEM_HOST_MEMORY, "out of memory for a picture of %ux%u", width, height);
}

void canvas_destroy(struct canvas *canvas)
{
    free(canvas->pixels);
    *canvas = (struct canvas){ 0 };
}

static uint8_t canvas_encode(double value)
{
    value = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
    return (uint8_t)(fmin(fmax(value, 0), 1) * 255 + 0.5);
}

void canvas_take(
    struct canvas *canvas, const struct band *band, const uint8_t *pixels, bool swapped)
{
    const size_t channels = canvas->transparent ? 4 : 3;
    const int red = swapped ? 2 : 0, blue = 2 - red;
    for (uint32_t y = 0; y < band->height; y++) {
        uint8_t *to = canvas->pixels + channels * ((size_t)(band->y + y) * canvas->width + band->x);
        const uint8_t *from = pixels + (size_t)4 * y * band->width;
        for (uint32_t x = 0; !canvas->transparent && x < band->width; x++, from += 4, to += 3) {
            const uint8_t rgb[3] = { from[red], from[1], from[blue] };
            memcpy(to, rgb, 3);
        }
        for (uint32_t x = 0; canvas->transparent && x < band->width; x++, from += 4, to += 4) {
            const uint8_t rgba[4] = { from[red], from[1], from[blue], from[3] };
            memcpy(to, rgba, 4);
            for (int c = 0; to[3] > 0 && to[3] < 255 && c < 3; c++) {
                to[c] = canvas_encode(colour_linear(to[c]) * 255 / to[3]);
            }
        }
    }
}

bool canvas_write(
    const struct canvas *canvas, const char *path, char *placed, struct problem *problem)
{
    return png_write(
        path, placed, canvas->width, canvas->height, canvas->transparent ? 4 : 3, canvas->pixels,
        problem);
}
