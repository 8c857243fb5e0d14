// Colours as people write them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct colour {
    bool set;       // false: none was chosen
    uint8_t rgb[3]; // sRGB, as displayed
};

struct colour_name {
    const char *name, *hex; // hex: "#rrggbb"
};

// The named colours; the last row has no name.
extern const struct colour_name colour_names[];

// Reads "#rrggbb" or one of the names.
bool colour_parse(const char *text, struct colour *out);

// Writes the colour as "#rrggbb".
const char *colour_text(const struct colour *colour, char text[8]);

// Converts a channel as displayed (sRGB) to linear light, 0 to 1.
double colour_linear(uint8_t shown);
