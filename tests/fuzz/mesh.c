// Fuzzes the surface of random samples. It must have no holes. It must be the same if it is made
// layer by layer, and if its file is written in parts. PLY and STL files must read back as the
// same.
#include "compute/mesh/mesh_facts.h"
#include "compute/mesh/mesh_formats.h"
#include "compute/mesh/mesh_writer.h"
#include "compute/reference/reference.h"
#include "tests/fuzz/target.h"
#include "volumes/base/log.h"

#include <math.h>
#include <string.h>

static unsigned char *kept; // what was written first
static size_t kept_size;

static void keep_written(void)
{
    const unsigned char *bytes = files_written(&kept_size);
    free(kept);
    kept = malloc(kept_size + 1);
    HOLDS(kept, "memory");
    memcpy(kept, bytes, kept_size);
    kept[kept_size] = 0;
    files_clear();
}

static uint32_t u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void check_ply(const struct mesh *mesh)
{
    const char *end = strstr((char *)kept, "end_header\n");
    HOLDS(end, "a header");
    const unsigned char *at = (const unsigned char *)end + strlen("end_header\n");
    HOLDS(
        (size_t)(kept + kept_size - at) == mesh->vertex_count * 24 + mesh->triangle_count * 13,
        "%zu bytes", kept_size);
    for (uint64_t i = 0; i < mesh->vertex_count; i++, at += 24) {
        HOLDS(
            memcmp(at, mesh->positions[i], 12) == 0 && memcmp(at + 12, mesh->normals[i], 12) == 0,
            "vertex %llu", (unsigned long long)i);
    }
    for (uint64_t i = 0; i < mesh->triangle_count; i++, at += 13) {
        for (int k = 0; k < 3; k++) {
            HOLDS(
                at[0] == 3 && u32(at + 1 + 4 * k) == mesh->triangles[i][k], "triangle %llu",
                (unsigned long long)i);
        }
    }
}

// As floats.
static void put_in_place(struct mesh *mesh, const struct mesh_place *place)
{
    for (uint64_t i = 0; i < mesh->vertex_count; i++) {
        double position[3];
        mesh_place_position(place, mesh->positions[i], position);
        mesh_place_normal(place, mesh->normals[i], mesh->normals[i]);
        for (int k = 0; k < 3; k++) {
            mesh->positions[i][k] = (float)position[k];
        }
    }
    for (uint64_t i = 0; i < mesh->triangle_count && place->determinant < 0; i++) {
        const uint32_t second = mesh->triangles[i][1];
        mesh->triangles[i][1] = mesh->triangles[i][2];
        mesh->triangles[i][2] = second;
    }
}

// Triangles without an area are left out.
static void check_stl(const struct mesh *mesh)
{
    HOLDS(kept_size >= 84, "%zu bytes", kept_size);
    const uint32_t count = u32(kept + 80);
    HOLDS(kept_size == 84 + (size_t)count * 50 && count <= mesh->triangle_count, "%u", count);
    uint64_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        float corners[3][3];
        memcpy(corners, kept + 84 + (size_t)i * 50 + 12, sizeof corners);
        bool same = false;
        while (!same && next < mesh->triangle_count) {
            const uint32_t *triangle = mesh->triangles[next++];
            same = memcmp(corners[0], mesh->positions[triangle[0]], 12) == 0 &&
                   memcmp(corners[1], mesh->positions[triangle[1]], 12) == 0 &&
                   memcmp(corners[2], mesh->positions[triangle[2]], 12) == 0;
        }
        HOLDS(same, "facet %u is a triangle", i);
    }
}

static void write_pieces(const struct mesh *mesh, const struct mesh_write_params *params)
{
    struct mesh_writer writer;
    struct problem problem;
    HOLDS(mesh_writer_open("-", params, &writer, &problem), "%s", problem.text);
    for (uint64_t v = 0, t = 0; v < mesh->vertex_count || t < mesh->triangle_count;) {
        uint64_t corners[16][3], vertices = draw() % 16, triangles = draw() % 16;
        vertices = vertices < mesh->vertex_count - v ? vertices : mesh->vertex_count - v;
        triangles = triangles < mesh->triangle_count - t ? triangles : mesh->triangle_count - t;
        for (uint64_t i = 0; i < triangles; i++) {
            for (int k = 0; k < 3; k++) {
                corners[i][k] = mesh->triangles[t + i][k];
            }
        }
        HOLDS(
            mesh_writer_vertices(
                &writer, vertices, (const float(*)[3])mesh->positions + v,
                (const float(*)[3])mesh->normals + v, &problem) &&
                mesh_writer_triangles(&writer, triangles, (const uint64_t(*)[3])corners, &problem),
            "%s", problem.text);
        v += vertices;
        t += triangles;
    }
    HOLDS(mesh_writer_commit(&writer, NULL, &problem), "%s", problem.text);
}

// The active cells of `volume` cut at layer `cut` into two volumes that share a slice.
static void
check_layers(const struct volume *volume, double iso, const struct cell_list *cells, uint32_t cut)
{
    const uint64_t slice = (uint64_t)volume->dim[0] * volume->dim[1];
    const uint64_t layer = (uint64_t)(volume->dim[0] - 1) * (volume->dim[1] - 1);
    uint64_t at = 0;
    for (int i = 0; i < 2; i++) {
        struct volume part = *volume;
        struct cell_list list;
        struct problem problem;
        part.dim[2] = i ? volume->dim[2] - cut : cut + 1;
        part.samples =
            (char *)volume->samples + (i ? cut : 0) * slice * volume_type_size(volume->type);
        HOLDS(reference_extract(&part, iso, &list, NULL, &problem), "%s", problem.text);
        for (uint64_t c = 0; c < list.count; c++, at++) {
            HOLDS(
                at < cells->count && cells->cells[at] == list.cells[c] + (i ? cut * layer : 0),
                "cell %llu", (unsigned long long)at);
        }
        cell_list_destroy(&list);
    }
    HOLDS(at == cells->count, "%llu cells", (unsigned long long)at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct volume volume;
    struct cell_list cells;
    struct mesh mesh;
    struct mesh_facts facts;
    struct problem problem;
    double min = INFINITY, max = -INFINITY;
    uint8_t head[2] = { 0 };
    const size_t used = size < sizeof head ? size : sizeof head;
    log_quiet = true;
    draw_begin(data, size);
    memcpy(head, data, used);
    volume_of_bytes(data + used, size - used, &volume);
    files_clear();
    bool finite = true;
    for (uint32_t z = 0; z < volume.dim[2]; z++) {
        for (uint32_t y = 0; y < volume.dim[1]; y++) {
            for (uint32_t x = 0; x < volume.dim[0]; x++) {
                const double value = volume_sample(&volume, x, y, z);
                finite = finite && isfinite(value);
                min = isfinite(value) ? fmin(min, value) : min;
                max = isfinite(value) ? fmax(max, value) : max;
            }
        }
    }
    const double share = head[0] / 255.0;
    const double iso = min > max ? 0 : min * (1 - share) + max * share;
    poison(0xaa);
    HOLDS(reference_extract(&volume, iso, &cells, &mesh, &problem), "%s", problem.text);
    HOLDS(mesh_check_indices(&mesh, &problem), "%s", problem.text);
    HOLDS(mesh_facts(&mesh, volume.dim, &facts, &problem), "%s", problem.text);
    HOLDS(facts.bad_edges == 0, "%llu bad edges", (unsigned long long)facts.bad_edges);
    HOLDS(!finite || facts.watertight, "a surface without holes");
    for (uint64_t i = 0; i < mesh.vertex_count; i++) {
        double length = 0;
        for (int k = 0; k < 3; k++) {
            const float position = mesh.positions[i][k];
            HOLDS(
                position >= 0 && position <= (float)(volume.dim[k] - 1), "position %g",
                (double)position);
            length += (double)mesh.normals[i][k] * (double)mesh.normals[i][k];
        }
        HOLDS(fabs(length - 1) < 1e-4, "a normal of length %g", sqrt(length));
    }
    if (volume.dim[2] > 2) {
        check_layers(&volume, iso, &cells, 1 + draw() % (volume.dim[2] - 2));
    }
    uint32_t formats = 0;
    while (mesh_formats[formats].name) {
        formats++;
    }
    const struct mesh_format *format = &mesh_formats[head[1] % formats];
    const bool placed = head[1] >= 128;
    volume.origin[0] = head[1] >= 192 ? 1e9 : volume.origin[0]; // then files have doubles
    const struct mesh_write_params in_pieces = {
        .format = format,
        .volume = placed ? &volume : NULL,
    };
    write_pieces(&mesh, &in_pieces);
    keep_written();
    const struct mesh_write_params at_once = {
        .format = format,
        .volume = placed ? &volume : NULL,
    };
    HOLDS(mesh_write(&mesh, "-", &at_once, &problem), "%s", problem.text);
    size_t size_at_once;
    const unsigned char *bytes = files_written(&size_at_once);
    HOLDS(
        size_at_once == kept_size && memcmp(bytes, kept, kept_size) == 0,
        "the same file in %s, %zu and %zu bytes", format->name, kept_size, size_at_once);
    const struct mesh_place place = mesh_place_of(placed ? &volume : NULL);
    put_in_place(&mesh, &place);
    if (strcmp(format->name, "ply") == 0 && !place.doubles) {
        check_ply(&mesh);
    } else if (strcmp(format->name, "stl") == 0) {
        check_stl(&mesh);
    }
    fuzz_accepted = mesh.triangle_count > 0;
    files_clear();
    mesh_destroy(&mesh);
    cell_list_destroy(&cells);
    volume_destroy(&volume);
    return 0;
}
