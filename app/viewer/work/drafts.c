#include "app/viewer/work/drafts.h"

static const double FEW = 0.125;       // rays that take this share of DRAFTS_MS need not be coarser
static const uint32_t FIRST_BANDS = 8; // number of bands of a picture if no time is known

uint32_t drafts_scale(const struct drafts *drafts, uint64_t pixels)
{
    uint32_t scale = 1;
    for (; scale < DRAFTS_SCALES_MOST; scale *= 2) {
        const double cast_ms = drafts->ray_ms * (double)pixels / (scale * scale);
        const double most = scale < drafts->scale ? DRAFTS_FINER * DRAFTS_MS : DRAFTS_MS;
        if (drafts->scale > 0 &&
            (cast_ms + drafts->rest_ms <= most || cast_ms <= FEW * DRAFTS_MS)) {
            break;
        }
    }
    return scale;
}

uint32_t drafts_rows(const struct drafts *drafts, uint32_t left, uint32_t step)
{
    if (drafts->picture_ms > 0 && drafts->picture_ms <= DRAFTS_WHOLE_MS) {
        return left;
    }
    double rows = (double)left / FIRST_BANDS;
    if (drafts->row_ms > 0) {
        rows = DRAFTS_BAND_MS / drafts->row_ms;
        rows = rows < 2.0 * drafts->rows ? rows : 2.0 * drafts->rows; // the next rows may take more
    }
    rows = rows < (double)left ? rows : (double)left;
    const uint32_t whole = (uint32_t)rows / step * step;
    const uint32_t some = whole > step ? whole : step;
    return some < left ? some : left;
}

uint32_t drafts_rows_again(const struct drafts *drafts, uint32_t rows)
{
    const double share = DRAFTS_BAND_MS / drafts->drawn_ms;
    return drafts->drawn_ms <= DRAFTS_AGAIN_MS ? rows : (uint32_t)(share * rows) + 1;
}

void drafts_note(
    struct drafts *drafts, uint32_t scale, uint64_t rays, double cast_ms, double rest_ms)
{
    drafts->scale = scale;
    drafts->ray_ms = cast_ms / (double)rays;
    drafts->rest_ms = rest_ms;
}

void drafts_note_band(struct drafts *drafts, uint32_t rows, double ms)
{
    drafts->rows = rows;
    drafts->row_ms = ms / rows;
}

void drafts_note_picture(struct drafts *drafts, uint64_t rays, double ms, double drawn_ms)
{
    if (drafts->scale == 0) {
        drafts_note(drafts, 1, rays, ms - drawn_ms, drawn_ms);
    }
    drafts->picture_ms = ms;
    drafts->drawn_ms = drawn_ms;
}
