#include "compute/mesh_sums.h"

#include <math.h>

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        const int u = (i + 1) % 3, v = (i + 2) % 3;
        out[i] = a[u] * b[v] - a[v] * b[u];
    }
}

void mesh_sums_bounds(struct mesh_sums *sums, const struct mesh *piece)
{
    for (int k = 0; k < 3 && piece->vertex_count; k++) {
        double low = sums->any ? sums->bounds[0][k] : piece->positions[0][k];
        double high = sums->any ? sums->bounds[1][k] : low;
        for (uint64_t i = 0; i < piece->vertex_count; i++) {
            low = fmin(low, piece->positions[i][k]);
            high = fmax(high, piece->positions[i][k]);
        }
        sums->bounds[0][k] = low;
        sums->bounds[1][k] = high;
    }
    sums->any |= piece->vertex_count > 0;
}

// The volume is the sum of the tetrahedra from the centre to each triangle: from a far origin they
// would be large and nearly cancel.
void mesh_sums_size(struct mesh_sums *sums, const struct mesh *piece)
{
    double twice_area = 0, six_volumes = 0;
    for (uint64_t i = 0; i < piece->triangle_count; i++) {
        double p[3][3], side[2][3], normal[3];
        for (int c = 0; c < 3; c++) {
            const float *at = piece->positions[piece->triangles[i][c]];
            for (int k = 0; k < 3; k++) {
                p[c][k] = at[k] - sums->centre[k];
            }
        }
        for (int k = 0; k < 3; k++) {
            side[0][k] = p[1][k] - p[0][k];
            side[1][k] = p[2][k] - p[0][k];
        }
        cross(side[0], side[1], normal);
        twice_area += sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        six_volumes += p[0][0] * normal[0] + p[0][1] * normal[1] + p[0][2] * normal[2];
    }
    sums->area += twice_area / 2;
    sums->volume += six_volumes / 6;
}

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t edge_hash(uint64_t low, uint64_t high)
{
    return mix(mix(low + UINT64_C(0x9e3779b97f4a7c15)) + high);
}

void mesh_sums_edges(struct mesh_sums *sums, const struct mesh *piece, uint64_t first_vertex)
{
    for (uint64_t i = 0; i < piece->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            const uint64_t a = first_vertex + piece->triangles[i][k];
            const uint64_t b = first_vertex + piece->triangles[i][(k + 1) % 3];
            sums->balance += a < b ? edge_hash(a, b) : -edge_hash(b, a);
        }
    }
}

bool mesh_sums_balanced(const struct mesh_sums *sums)
{
    return sums->balance == 0;
}
