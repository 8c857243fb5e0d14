#include "app/picture/bands.h"

static uint32_t bands_ceil(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

struct bands bands_of(uint32_t width, uint32_t height)
{
    struct bands bands = { .width = width, .height = height };
    bands.across = bands_ceil(width, BAND_COLUMNS);
    bands.columns = bands_ceil(width, bands.across);
    const uint32_t most = BAND_PIXELS / bands.columns;
    bands.down = bands_ceil(height, most);
    bands.rows = bands_ceil(height, bands.down);
    return bands;
}

uint32_t bands_times(uint32_t width, uint32_t height, uint32_t wanted)
{
    const uint64_t side = width > height ? width : height;
    while (wanted > 1 && side * wanted > BANDS_MOST) {
        wanted /= 2;
    }
    return wanted;
}

struct band band_at(const struct bands *bands, uint32_t index)
{
    const uint64_t column = index % bands->across, row = index / bands->across;
    const uint32_t x = (uint32_t)(column * bands->width / bands->across);
    const uint32_t y = (uint32_t)(row * bands->height / bands->down);
    return (struct band){
        .x = x,
        .y = y,
        .width = (uint32_t)((column + 1) * bands->width / bands->across) - x,
        .height = (uint32_t)((row + 1) * bands->height / bands->down) - y,
    };
}
