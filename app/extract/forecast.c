#include "app/extract/forecast.h"

#include "compute/mesh/mesh_records.h"
#include "compute/mesh/share.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Characters of a position and of a normal in text, with their blanks. Where the spacing is 1, two
// coordinates of each position are whole numbers. A position in double has more digits.
#define POSITION_TEXT 22
#define DOUBLES_TEXT  54
#define NORMAL_TEXT   37

static double forecast_digits(double count)
{
    return count >= 1 ? floor(log10(count)) + 1 : 1;
}

double forecast_mesh(
    const struct mesh_format *format, const struct volume *volume, double vertices,
    double triangles)
{
    const char *name = format->name;
    const bool doubles = mesh_place_of(volume).doubles;
    const double position = doubles ? 24 : 12, text = doubles ? DOUBLES_TEXT : POSITION_TEXT;
    const double digits = forecast_digits(vertices);
    if (strcmp(name, "ply") == 0) {
        return (position + 12) * vertices + 13 * triangles;
    }
    if (strcmp(name, "stl") == 0) {
        return 84 + 50 * triangles;
    }
    if (strcmp(name, "glb") == 0) {
        return 24 * vertices + 12 * triangles;
    }
    if (strcmp(name, "obj") == 0) { // "v X Y Z", "vn X Y Z", "f A//A B//B C//C"
        return (2 + text + 3 + NORMAL_TEXT) * vertices + (6 * digits + 11) * triangles;
    }
    if (strcmp(name, "off") == 0) { // "X Y Z", "3 A B C"
        return text * vertices + (3 * digits + 5) * triangles;
    }
    // vtp, and its pieces. Indices have 4 bytes while they fit.
    const double index = vertices <= INT32_MAX && triangles <= INT32_MAX / 3 ? 4 : 8;
    const double own = strcmp(name, "pvtp") == 0 ? 8 : 0; // a number for each vertex
    return (position + 12 + own) * vertices + 4 * index * triangles;
}

bool forecast_fits(
    const struct mesh_format *format, double vertices, double triangles, struct problem *why)
{
    const struct mesh counts = {
        .vertex_count = (uint64_t)vertices,
        .triangle_count = (uint64_t)triangles,
    };
    return !format->check || format->check(&counts, format->name, why);
}

double forecast_shares(double vertices, double triangles, double shares)
{
    return (RECORD_VERTEX + RECORD_NUMBER) * vertices + RECORD_FACE * triangles +
           (SHARE_HEAD + SHARE_PIECE + SHARE_END) * shares;
}

// Measured: lists, scratch and an ordinary surface take 3 to 5 bytes for each voxel.
double forecast_memory(double voxels, size_t size)
{
    return voxels * (double)(size + 5);
}

const char *forecast_text(double value, const char *unit, char text[FORECAST_TEXT])
{
    static const char *const prefixes[] = { "", "k", "M", "G", "T", "P", "E" };
    int prefix = 0;
    while (value >= 999.5 && prefix < 6) {
        value /= 1000;
        prefix++;
    }
    const int decimals = value >= 99.95 || prefix == 0 ? 0 : value >= 9.995 ? 1 : 2;
    const char *space = *unit || prefix > 0 ? " " : "";
    snprintf(text, FORECAST_TEXT, "%.*f%s%s%s", decimals, value, space, prefixes[prefix], unit);
    return text;
}
