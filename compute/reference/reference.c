// Textbook marching cubes (Lorensen and Cline 1987), cell by cell, with the cases of tables.h.
//
// Two scans over the volume take the same steps. The first scan only counts, so that the arrays are
// allocated once with their final size; the second one fills them. A scan keeps the states of two
// slices of samples and the vertex numbers of the edges around one layer of cells, nothing else.

#include "compute/reference/reference.h"

#include "compute/reference/tables.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// States of a sample. The four samples of a cell with the same x fit in a byte, two bits each.
#define INSIDE     1
#define NOT_FINITE 2
#define ALL_INSIDE 0x55 // INSIDE of four samples
#define ANY_GAP    0xaa // NOT_FINITE of four samples

#define NO_VERTEX UINT32_MAX

struct reference {
    const struct volume *volume;
    double iso;
    struct marching_cubes_case cases[CASES];

    // For the layer of cells between slices z and z + 1: [0] is the lower slice, [1] the upper one.
    uint8_t *states[2];
    uint32_t *flat[2][2]; // vertex on the x [0] and y [1] edge that starts at a sample
    uint32_t *upright;    // vertex on the z edge between the slices

    uint64_t cell_count, vertex_count, triangle_count; // counted so far
    struct cell_list *cells;                           // the outputs to fill; NULL: only count
    struct mesh *mesh;
};

static size_t reference_slice_size(const struct volume *volume)
{
    return (size_t)volume->dim[0] * volume->dim[1];
}

static void reference_free(struct reference *reference)
{
    for (int i = 0; i < 2; i++) {
        free(reference->states[i]);
        free(reference->flat[i][0]);
        free(reference->flat[i][1]);
    }
    free(reference->upright);
}

static bool reference_allocate(struct reference *reference)
{
    const size_t count = reference_slice_size(reference->volume);
    for (int i = 0; i < 2; i++) {
        reference->states[i] = malloc(count);
        reference->flat[i][0] = malloc(count * sizeof(uint32_t));
        reference->flat[i][1] = malloc(count * sizeof(uint32_t));
        if (!reference->states[i] || !reference->flat[i][0] || !reference->flat[i][1]) {
            return false;
        }
    }
    reference->upright = malloc(count * sizeof(uint32_t));
    return reference->upright;
}

// An integer v is >= iso exactly if it is >= ceil(iso), and a double represents every sample
// exactly. So one comparison is right for every type.
static void reference_read_states(const struct reference *reference, uint32_t z, uint8_t *states)
{
    const uint32_t width = reference->volume->dim[0], height = reference->volume->dim[1];
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const double value = volume_sample(reference->volume, x, y, z);
            *states++ = !isfinite(value) ? NOT_FINITE : value >= reference->iso ? INSIDE : 0;
        }
    }
}

static void reference_clear_vertices(uint32_t *vertices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        vertices[i] = NO_VERTEX;
    }
}

static void reference_fill_vertex(
    const struct reference *reference, const uint32_t from[3], int axis, uint64_t vertex)
{
    const struct volume *volume = reference->volume;
    uint32_t to[3] = { from[0], from[1], from[2] };
    to[axis]++;
    const double a = volume_sample(volume, from[0], from[1], from[2]);
    const double b = volume_sample(volume, to[0], to[1], to[2]);
    const double t = (reference->iso - a) / (b - a);

    double at_from[3], at_to[3], slope[3];
    gradient_at(volume, from, at_from);
    gradient_at(volume, to, at_to);
    for (int i = 0; i < 3; i++) {
        slope[i] = at_from[i] + t * (at_to[i] - at_from[i]);
    }
    double size = gradient_length(slope);
    if (size <= GRADIENT_VANISHES * fmax(gradient_length(at_from), gradient_length(at_to))) {
        slope[0] = slope[1] = slope[2] = 0;
        slope[axis] = b - a;
        size = fabs(b - a);
    }

    const struct mesh *mesh = reference->mesh;
    for (int i = 0; i < 3; i++) {
        mesh->positions[vertex][i] = (float)(i == axis ? from[i] + t : from[i]);
        mesh->normals[vertex][i] = (float)(-slope[i] / size);
    }
    const uint64_t sample_index =
        ((uint64_t)from[2] * volume->dim[1] + from[1]) * volume->dim[0] + from[0];
    mesh->edges[vertex] = 3 * sample_index + axis;
}

// The vertex on edge `code` of the cell at `cell`; the first cell that needs it makes it.
static uint32_t reference_vertex(struct reference *reference, const uint32_t cell[3], uint8_t code)
{
    const int axis = code >> 2;
    uint32_t from[3] = { cell[0], cell[1], cell[2] };
    from[axis == 0 ? 1 : 0] += code & 1;
    from[axis == 2 ? 1 : 2] += code >> 1 & 1;

    uint32_t *vertices = axis == 2 ? reference->upright : reference->flat[from[2] - cell[2]][axis];
    uint32_t *vertex = &vertices[(size_t)from[1] * reference->volume->dim[0] + from[0]];
    if (*vertex == NO_VERTEX) {
        // The number may wrap in the scan that counts. A surface with that many vertices gets no
        // mesh.
        *vertex = (uint32_t)reference->vertex_count;
        if (reference->mesh) {
            reference_fill_vertex(reference, from, axis, reference->vertex_count);
        }
        reference->vertex_count++;
    }
    return *vertex;
}

static void reference_visit_cell(struct reference *reference, const uint32_t cell[3], int corners)
{
    if (reference->cells) {
        const uint32_t *dim = reference->volume->dim;
        reference->cells->cells[reference->cell_count] =
            ((uint64_t)cell[2] * (dim[1] - 1) + cell[1]) * (dim[0] - 1) + cell[0];
    }
    reference->cell_count++;

    const struct marching_cubes_case *found = &reference->cases[corners];
    for (int i = 0; i < found->triangle_count; i++) {
        uint32_t triangle[3];
        for (int k = 0; k < 3; k++) {
            triangle[k] = reference_vertex(reference, cell, found->edges[i][k]);
        }
        if (reference->mesh) {
            memcpy(
                reference->mesh->triangles[reference->triangle_count], triangle, sizeof triangle);
        }
        reference->triangle_count++;
    }
}

// The states of a cell's four corners with the same x, in the order of the corners: two bits each.
static int reference_column(const struct reference *reference, size_t at)
{
    const uint32_t width = reference->volume->dim[0];
    return reference->states[0][at] | reference->states[0][at + width] << 2 |
           reference->states[1][at] << 4 | reference->states[1][at + width] << 6;
}

static void reference_visit_layer(struct reference *reference, uint32_t z)
{
    const uint32_t width = reference->volume->dim[0], height = reference->volume->dim[1];
    for (uint32_t y = 0; y + 1 < height; y++) {
        const size_t row = (size_t)y * width;
        int near = reference_column(reference, row);
        for (uint32_t x = 0; x + 1 < width; x++) {
            const int far = reference_column(reference, row + x + 1);
            const bool gap = (near | far) & ANY_GAP;
            // Bit 0 of a corner is its x: the bits of the far column go between those of the near
            // one.
            const int corners = (near & ALL_INSIDE) | (far & ALL_INSIDE) << 1;
            if (!gap && corners != 0 && corners != CASES - 1) {
                reference_visit_cell(reference, (const uint32_t[3]){ x, y, z }, corners);
            }
            near = far;
        }
    }
}

// The upper slice becomes the lower one. The memory of the old lower slice is reused.
static void reference_next_layer(struct reference *reference)
{
    uint8_t *states = reference->states[0];
    uint32_t *x = reference->flat[0][0], *y = reference->flat[0][1];
    reference->states[0] = reference->states[1];
    reference->flat[0][0] = reference->flat[1][0];
    reference->flat[0][1] = reference->flat[1][1];
    reference->states[1] = states;
    reference->flat[1][0] = x;
    reference->flat[1][1] = y;
}

static void reference_scan(struct reference *reference)
{
    const size_t count = reference_slice_size(reference->volume);
    reference->cell_count = 0;
    reference->vertex_count = 0;
    reference->triangle_count = 0;
    reference_read_states(reference, 0, reference->states[0]);
    reference_clear_vertices(reference->flat[0][0], count);
    reference_clear_vertices(reference->flat[0][1], count);
    for (uint32_t z = 0; z + 1 < reference->volume->dim[2]; z++) {
        reference_read_states(reference, z + 1, reference->states[1]);
        reference_clear_vertices(reference->flat[1][0], count);
        reference_clear_vertices(reference->flat[1][1], count);
        reference_clear_vertices(reference->upright, count);
        reference_visit_layer(reference, z);
        reference_next_layer(reference);
    }
}

bool reference_extract(
    const struct volume *volume, double iso, struct cell_list *cells, struct mesh *mesh,
    struct problem *problem)
{
    assert(volume->dim[0] >= 2 && volume->dim[1] >= 2 && volume->dim[2] >= 2);
    if (cells) {
        *cells = (struct cell_list){ 0 };
    }
    if (mesh) {
        *mesh = (struct mesh){ 0 };
    }
    struct reference reference = { .volume = volume, .iso = iso };
    marching_cubes_derive(reference.cases);
    if (!reference_allocate(&reference)) {
        problem_set(
            problem, PROBLEM_HOST_MEMORY,
            "out of memory: the reference needs %zu bytes for its slices",
            22 * reference_slice_size(volume));
        goto fail;
    }

    reference_scan(&reference);
    if (mesh) {
        if (reference.vertex_count > UINT32_MAX) {
            problem_set(
                problem, PROBLEM_LIMIT,
                "the surface has %" PRIu64 " vertices, the limit is %" PRIu32,
                reference.vertex_count, UINT32_MAX);
            goto fail;
        }
        if (!mesh_create(reference.vertex_count, reference.triangle_count, mesh, problem)) {
            goto fail;
        }
        reference.mesh = mesh;
    }
    if (cells) {
        cells->cells = malloc((reference.cell_count + 1) * sizeof *cells->cells);
        if (!cells->cells) {
            problem_set(
                problem, PROBLEM_HOST_MEMORY,
                "out of memory: the list of %" PRIu64 " active cells needs %" PRIu64 " bytes",
                reference.cell_count, reference.cell_count * sizeof *cells->cells);
            goto fail;
        }
        cells->count = reference.cell_count;
        reference.cells = cells;
    }
    reference_scan(&reference);
    reference_free(&reference);
    reference = (struct reference){ 0 };
    if (mesh && !mesh_canonicalize(mesh, problem)) {
        goto fail;
    }
    return true;

fail:
    reference_free(&reference);
    if (cells) {
        cell_list_destroy(cells);
    }
    if (mesh) {
        mesh_destroy(mesh);
    }
    return false;
}

void cell_list_destroy(struct cell_list *list)
{
    free(list->cells);
    *list = (struct cell_list){ 0 };
}

static double reference_sample_at(const struct volume *volume, const uint32_t at[3])
{
    return volume_sample(volume, at[0], at[1], at[2]);
}

void gradient_at(const struct volume *volume, const uint32_t at[3], double out[3])
{
    const double here = reference_sample_at(volume, at);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t below[3] = { at[0], at[1], at[2] }, above[3] = { at[0], at[1], at[2] };
        below[axis]--;
        above[axis]++;
        const double low = at[axis] > 0 ? reference_sample_at(volume, below) : NAN;
        const double high =
            above[axis] < volume->dim[axis] ? reference_sample_at(volume, above) : NAN;
        if (isfinite(low) && isfinite(high)) {
            out[axis] = (high - low) / 2;
        } else if (isfinite(high)) {
            out[axis] = high - here;
        } else if (isfinite(low)) {
            out[axis] = here - low;
        } else {
            out[axis] = 0;
        }
    }
}

double gradient_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}
