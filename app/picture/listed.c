#include "app/picture/listed.h"

#include "app/picture/drawable.h"
#include "compute/atlas.h"
#include "shaders.h"

#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

static const float LEAST_POINT = 1.2f; // least half size of a point, in pixels
static const int32_t LEVELS_GAP = 4;   // between levels of a pyramid over the slices, in pixels
static const float CELL_SHARE = 0.42f; // half size of a point, as a share of a cell's shortest side

enum show listed_shows(const struct view *view, const struct extraction_lists *lists)
{
    return lists && (view->show != SHOW_LEVELS || lists->levels) ? view->show : SHOW_SURFACE;
}

enum show listed_draws(const struct view *view, const struct extraction_lists *lists)
{
    const enum show show = listed_shows(view, lists);
    return show == SHOW_LEVELS && method_tiles(lists->method) ? SHOW_ATLAS : show;
}

static void listed_bind(const struct drawing *drawing, struct binding table[BINDINGS])
{
    const struct extraction_lists *lists = drawing->scene->lists;
    table[BINDING_BRICKS] = (struct binding){ lists->bricks };
    table[BINDING_CELLS] = (struct binding){ lists->cells };
    table[BINDING_SLOTS] = (struct binding){ lists->slots };
    table[BINDING_ROW_MASKS] = (struct binding){ lists->row_masks };
    table[BINDING_MASKS] = (struct binding){ lists->masks };
    table[BINDING_PARTIALS] = (struct binding){ lists->levels, .view = 1 }; // of four words
    // Read only if there are levels.
    table[BINDING_LEVELS] = (struct binding){ lists->levels ? lists->levels : lists->cells };
    table[BINDING_BRICKS_COUNTER] = (struct binding){ lists->control, lists->bricks_counter };
    table[BINDING_CELLS_COUNTER] = (struct binding){ lists->control, lists->cells_counter };
}

// Draws as many vertices as the device has counted.
static void listed_draw_counted(const struct drawing *drawing)
{
    const struct extraction_lists *lists = drawing->scene->lists;
    const uint32_t stride = sizeof(VkDrawIndirectCommand);
    const uint32_t command = drawing->show == SHOW_BRICKS ? 0 : 1;
    vkCmdDrawIndirect(
        drawing->cmd, lists->control->handle,
        (uint64_t)lists->draws * BUFFER_SLOT + command * stride, 1, stride);
}

static void listed_draw(const struct drawing *drawing, const struct pipeline *pipeline)
{
    pipeline_use(pipeline, drawing->cmd, drawing->draft, NULL);
    listed_draw_counted(drawing);
}

// How bright a side of a box is. Its normal in view space is sign * faces, of any length.
static float listed_shade(const float faces[3], float sign)
{
    static const float key[3] = { -0.572f, 0.710f, 0.414f };
    const float size = hypotf(hypotf(faces[0], faces[1]), faces[2]);
    const float lit = sign * (faces[0] * key[0] + faces[1] * key[1] + faces[2] * key[2]) / size;
    return 0.55f + 0.45f * lit;
}

static void
listed_fill_bricks(const struct scene *scene, const float base[3], struct picture_block *out)
{
    mat4 clip, back;
    memcpy(clip, out->part_clip, sizeof clip);
    glm_mat4_inv(clip, back);
    // All rays meet in the eye: a point of the grid, or a direction. In clip space its w is 0.
    vec4 eye = { 0, 0, scene->view->camera.ortho ? -1 : 1, 0 };
    glm_mat4_mulv(back, eye, eye);
    const float w = scene->view->camera.ortho ? 1 : eye[3];
    for (int i = 0; i < 3; i++) {
        out->eye[i] = eye[i] / w;
        out->part_extent[i] = (float)(scene->placement->dim[i] - 1) - base[i];
        out->high[i] = listed_shade(out->normal[i], 1);
        out->low[i] = listed_shade(out->normal[i], -1);
    }
    out->eye[3] = scene->view->camera.ortho ? 0 : 1;
    const VkExtent2D extent = scene->area.extent;
    out->brick_edge = fmaxf(1, fminf((float)extent.width, (float)extent.height) / 800);
}

void listed_fill(
    const struct scene *scene, float samples, float scale[2], struct picture_block *out)
{
    const struct extraction_lists *lists = scene->lists;
    const float base[3] = { 0, (float)lists->base_y, (float)lists->base_z };
    memcpy(out->part_clip, out->clip, sizeof out->clip);
    float cell = INFINITY; // the shortest side of a cell
    for (int i = 0; i < 3; i++) {
        const float *side = scene->placement->model[i];
        cell = fminf(cell, hypotf(hypotf(side[0], side[1]), side[2]));
    }
    for (int r = 0; r < 4; r++) {
        out->part_clip[3][r] += out->clip[1][r] * base[1] + out->clip[2][r] * base[2];
    }
    for (int i = 0; i < 2; i++) {
        const uint32_t pixels = i ? scene->area.extent.height : scene->area.extent.width;
        out->point[i] = CELL_SHARE * cell * fabsf(scale[i]);
        out->point[2 + i] = LEAST_POINT * 2 / (float)pixels;
    }
    out->cell_samples = scene->view->show == SHOW_ORDER ? -samples : samples;
    out->bricks_x = lists->grid[0];
    out->bricks_y = lists->grid[1];
    listed_fill_bricks(scene, base, out);
}

void listed_squares(float width, float height, float squares[LISTED_LEVELS][3])
{
    const float scale = fmaxf(0.75f, fminf(width, height) / 800);
    const float gap = floorf(6 * scale), least = floorf(10 * scale), margin = floorf(28 * scale);
    // A power of two, so that all nodes of a level have the same size.
    const float most = exp2f(floorf(log2f(fmaxf(least, fminf(0.34f * height, 0.30f * width)))));
    float bottom = height - margin;
    for (int i = 0; i < LISTED_LEVELS; i++) {
        const float side = fmaxf(least, floorf(most / (float)(1 << i)));
        squares[i][0] = margin + floorf((most - side) / 2);
        squares[i][1] = bottom - side;
        squares[i][2] = side;
        bottom -= side + gap;
    }
}

static void listed_draw_levels(const struct drawing *drawing, const struct pipeline *pipeline)
{
    const struct extraction_lists *lists = drawing->scene->lists;
    const float width = (float)drawing->scene->area.extent.width;
    const float height = (float)drawing->scene->area.extent.height;
    float squares[LISTED_LEVELS][3];
    listed_squares(width, height, squares);
    for (uint32_t i = 0; i < LISTED_LEVELS; i++) {
        const float *at = squares[i];
        const struct levels_push push = {
            .square = { at[0] / width * 2 - 1, at[1] / height * 2 - 1,
                        (at[0] + at[2]) / width * 2 - 1, (at[1] + at[2]) / height * 2 - 1 },
            .level = i,
            .side = (uint32_t)at[2],
            .leaves = lists->leaves,
            .pyramid = lists->method->pyramid,
        };
        pipeline_use(pipeline, drawing->cmd, drawing->draft, &push);
        vkCmdDraw(drawing->cmd, 6, 1, 0, 0);
    }
}

// Draws the levels above the base within a square whose upper left corner and side are push's: the
// first one has half the side, and the others are in a column at its right. The first
// levels are left out if they have more texels than there are pixels.
static void listed_draw_tile_levels(
    const struct drawing *drawing, const struct pipeline *pipeline, struct slices_push push)
{
    const uint32_t *dim = drawing->scene->placement->dim, side = push.side;
    const uint32_t rows = (dim[2] + push.cols - 1) / push.cols;
    const uint32_t w = push.cols * dim[0], h = rows * dim[1], most = w > h ? w : h;
    uint32_t left_out = 0;
    while ((most - 1) >> left_out >= side) {
        left_out++;
    }
    push.what = SLICES_LEVEL;
    for (uint32_t i = 1; i == 1 || (most - 1) >> (i + left_out - 1); i++) {
        push.level = i + left_out;
        push.side = ((side - 1) >> i) + 1;
        pipeline_use(pipeline, drawing->cmd, drawing->draft, &push);
        vkCmdDraw(drawing->cmd, CELL_CORNERS, 1, 0, 0);
        push.left += i == 1 ? (int32_t)push.side + LEVELS_GAP : 0;
        push.top += i == 1 ? 0 : (int32_t)push.side + LEVELS_GAP;
    }
}

// Draws the slices at the left, and at the right the list or the levels of the pyramid over them.
static void listed_draw_slices(const struct drawing *drawing, const struct pipeline *pipeline)
{
    const uint32_t *dim = drawing->scene->placement->dim;
    const float width = (float)drawing->scene->area.extent.width;
    const float height = (float)drawing->scene->area.extent.height;
    const float gap = floorf(16 * fmaxf(0.75f, fminf(width, height) / 800));
    // Above the squares there is place for the legend.
    const float side =
        fmaxf(1, floorf(fminf((width - 3 * gap) / 2, fmaxf(height - 12 * gap, height / 2))));
    const float left = floorf((width - 2 * side - gap) / 2);
    struct slices_push push = {
        .top = (int32_t)floorf((height - side) / 2),
        .side = (uint32_t)side,
        .cols = atlas_cols(dim[0], dim[1], dim[2]),
    };
    const bool levels = drawing->scene->view->show == SHOW_LEVELS;
    for (; push.what <= (SLICES_LIST | SLICES_CELLS); push.what += levels ? SLICES_CELLS : 1) {
        push.left = (int32_t)(push.what & SLICES_LIST ? left + side + gap : left);
        pipeline_use(pipeline, drawing->cmd, drawing->draft, &push);
        if (push.what & SLICES_CELLS) {
            listed_draw_counted(drawing);
        } else {
            vkCmdDraw(drawing->cmd, CELL_CORNERS, 1, 0, 0);
        }
    }
    if (levels) {
        push.left = (int32_t)(left + side + gap);
        listed_draw_tile_levels(drawing, pipeline, push);
    }
}

const struct drawable drawable_bricks = {
    .pipeline = {
        .name = "active bricks",
        .vertex = &shader_bricks_vert,
        .fragment = &shader_bricks_frag,
        .depth_test = true,
    },
    .layer = LAYER_OPAQUE,
    .shows = 1 << SHOW_BRICKS,
    .bind = listed_bind,
    .draw = listed_draw,
};

const struct drawable drawable_cells = {
    .pipeline = {
        .name = "active cells",
        .vertex = &shader_cells_vert,
        .fragment = &shader_cells_frag,
        .depth_test = true,
    },
    .layer = LAYER_OPAQUE,
    .shows = 1 << SHOW_CELLS | 1 << SHOW_ORDER,
    .bind = listed_bind,
    .draw = listed_draw,
};

const struct drawable drawable_levels = {
    .pipeline = {
        .name = "levels of the pyramid",
        .vertex = &shader_levels_vert,
        .fragment = &shader_levels_frag,
        .depth_test = true,
    },
    .layer = LAYER_OPAQUE,
    .shows = 1 << SHOW_LEVELS,
    .bind = listed_bind,
    .draw = listed_draw_levels,
};

const struct drawable drawable_slices = {
    .pipeline = {
        .name = "slices",
        .vertex = &shader_slices_vert,
        .fragment = &shader_slices_frag,
    },
    .layer = LAYER_OPAQUE,
    .shows = 1 << SHOW_ATLAS,
    .bind = listed_bind,
    .draw = listed_draw_slices,
};
