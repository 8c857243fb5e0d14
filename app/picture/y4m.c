#include "app/picture/y4m.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool y4m_open(
    const char *path, uint32_t width, uint32_t height, uint32_t fps, struct y4m *out,
    struct problem *problem)
{
    *out = (struct y4m){ .width = width, .height = height };
    out->planes = malloc((size_t)width * height * 3);
    if (!out->planes) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory for a picture of %ux%u", width, height);
    }
    out->open = output_open(path, &out->output, problem);
    char head[120];
    const int length = snprintf(
        head, sizeof head, "YUV4MPEG2 W%u H%u F%u:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n", width,
        height, fps);
    out->whole = out->open && output_write(&out->output, head, (size_t)length, problem);
    return out->whole;
}

// Converts by BT.601, the matrix that readers assume where a file states none: Y from 16 to 235, Cb
// and Cr around 128 from 16 to 240. The factors are multiples of 2^-16; results are rounded.
static void y4m_convert(const uint8_t *rgb, size_t count, uint8_t *planes)
{
    for (size_t i = 0; i < count; i++, rgb += 3) {
        const int r = rgb[0], g = rgb[1], b = rgb[2];
        planes[i] = (uint8_t)((16829 * r + 33039 * g + 6416 * b + (16 << 16) + 32768) >> 16);
        planes[count + i] =
            (uint8_t)((-9714 * r - 19070 * g + 28784 * b + (128 << 16) + 32768) >> 16);
        planes[2 * count + i] =
            (uint8_t)((28784 * r - 24103 * g - 4681 * b + (128 << 16) + 32768) >> 16);
    }
}

bool y4m_write(struct y4m *film, const struct canvas *canvas, struct problem *problem)
{
    static const char head[] = "FRAME\n";
    const size_t count = (size_t)film->width * film->height;
    y4m_convert(canvas->pixels, count, film->planes);
    film->whole = output_write(&film->output, head, strlen(head), problem) &&
                  output_write(&film->output, film->planes, 3 * count, problem);
    return film->whole;
}

bool y4m_close(struct y4m *film, bool fine, struct problem *problem)
{
    if (film->open && fine) {
        fine = output_commit(&film->output, problem);
    } else if (film->open && film->whole && !film->output.name) {
        struct problem later; // not reported: the first problem counts
        output_commit(&film->output, &later);
    } else if (film->open) {
        output_abort(&film->output);
    }
    free(film->planes);
    *film = (struct y4m){ 0 };
    return fine;
}
