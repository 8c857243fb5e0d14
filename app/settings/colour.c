#include "app/settings/colour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Muted, so that shading stays visible.
const struct colour_name colour_names[] = {
    { "white", "#f2f2f2" },  { "grey", "#9aa0a6" },
    { "black", "#303338" },  { "red", "#d0463b" },
    { "orange", "#e0843a" }, { "yellow", "#dfc04c" },
    { "green", "#5da469" },  { "teal", "#3f9c9c" },
    { "blue", "#4a7fc1" },   { "violet", "#8a67b8" },
    { "pink", "#d98aa5" },   { "brown", "#8d6242" },
    { "skin", "#dfa98c" },   { 0 },
};

bool colour_parse(const char *text, struct colour *out)
{
    for (const struct colour_name *row = colour_names; row->name; row++) {
        if (strcmp(text, row->name) == 0) {
            return colour_parse(row->hex, out);
        }
    }
    const bool fine =
        *text == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6;
    *out = (struct colour){ .set = true };
    return fine && sscanf(text, "#%2hhx%2hhx%2hhx", &out->rgb[0], &out->rgb[1], &out->rgb[2]) == 3;
}

const char *colour_text(const struct colour *colour, char text[8])
{
    snprintf(text, 8, "#%02x%02x%02x", colour->rgb[0], colour->rgb[1], colour->rgb[2]);
    return text;
}

double colour_linear(uint8_t shown)
{
    const double value = shown / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}
