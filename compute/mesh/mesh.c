#include "compute/mesh/mesh.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void *mesh_array(uint64_t count, size_t size)
{
    size_t bytes;
    // At least one element: NULL always means that memory is short.
    return __builtin_mul_overflow(count ? count : 1, size, &bytes) ? NULL : malloc(bytes);
}

bool mesh_create(uint64_t vertices, uint64_t triangles, struct mesh *out, struct problem *problem)
{
    *out = (struct mesh){
        .vertex_count = vertices,
        .triangle_count = triangles,
        .positions = mesh_array(vertices, sizeof *out->positions),
        .normals = mesh_array(vertices, sizeof *out->normals),
        .triangles = mesh_array(triangles, sizeof *out->triangles),
        .edges = mesh_array(vertices, sizeof *out->edges),
    };
    if (!out->positions || !out->normals || !out->triangles || !out->edges) {
        mesh_destroy(out);
        return problem_set(
            problem, PROBLEM_HOST_MEMORY,
            "out of memory: a mesh of %" PRIu64 " vertices and %" PRIu64
            " triangles does not fit; choose an isovalue with less surface",
            vertices, triangles);
    }
    return true;
}

void mesh_destroy(struct mesh *mesh)
{
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->triangles);
    free(mesh->edges);
    *mesh = (struct mesh){ 0 };
}

bool mesh_check_indices(const struct mesh *mesh, struct problem *problem)
{
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            if (mesh->triangles[i][k] >= mesh->vertex_count) {
                return problem_set(
                    problem, PROBLEM_INTERNAL,
                    "triangle %" PRIu64 " of the mesh names vertex %" PRIu32 ", there are %" PRIu64,
                    i, mesh->triangles[i][k], mesh->vertex_count);
            }
        }
    }
    return true;
}

// out = matrix * v, row-major.
static void mesh_transform(const double matrix[9], const double v[3], double out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = matrix[3 * r] * v[0] + matrix[3 * r + 1] * v[1] + matrix[3 * r + 2] * v[2];
    }
}

// The cofactors of a matrix: its inverse transpose times its determinant.
static void mesh_cofactors(const double m[9], double out[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out[3 * r + c] = m[3 * r1 + c1] * m[3 * r2 + c2] - m[3 * r1 + c2] * m[3 * r2 + c1];
        }
    }
}

// The volume's affine, and its inverse transpose times its determinant. Returns the determinant.
static double mesh_matrices(const struct volume *volume, double affine[9], double normal_matrix[9])
{
    for (int i = 0; i < 9; i++) {
        affine[i] = volume->direction[i] * volume->spacing[i % 3];
    }
    mesh_cofactors(affine, normal_matrix);
    return affine[0] * normal_matrix[0] + affine[1] * normal_matrix[1] +
           affine[2] * normal_matrix[2];
}

void mesh_to_world(struct mesh *mesh, const struct volume *volume)
{
    double affine[9], normal_matrix[9];
    const bool mirrored = mesh_matrices(volume, affine, normal_matrix) < 0;

    for (uint64_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->positions[i], *n = mesh->normals[i];
        double position[3], normal[3];
        mesh_transform(affine, (const double[3]){ p[0], p[1], p[2] }, position);
        mesh_transform(normal_matrix, (const double[3]){ n[0], n[1], n[2] }, normal);
        // The cofactors have the sign of the determinant; their length does not matter.
        const double size = hypot(hypot(normal[0], normal[1]), normal[2]) * (mirrored ? -1 : 1);
        for (int k = 0; k < 3; k++) {
            mesh->positions[i][k] = (float)(volume->origin[k] + position[k]);
            mesh->normals[i][k] = size != 0 ? (float)(normal[k] / size) : 0;
        }
    }
    for (uint64_t i = 0; mirrored && i < mesh->triangle_count; i++) {
        const uint32_t second = mesh->triangles[i][1];
        mesh->triangles[i][1] = mesh->triangles[i][2];
        mesh->triangles[i][2] = second;
    }
}
