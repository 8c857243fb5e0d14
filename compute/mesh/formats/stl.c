// Binary STL (3D Systems 1988): an 80-byte header, a count, and 50 bytes for each triangle. The
// header must not begin with "solid", which marks the text form. A triangle without area has no
// normal, and some readers fail on it, so it is left out. All numbers are floats: a warning says
// how far they round positions where other formats have doubles.

#include "compute/mesh/mesh_formats.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define FACET 50 // bytes of a record

bool mesh_check_stl(const struct mesh *mesh, const char *path, struct problem *problem)
{
    return mesh->triangle_count <= UINT32_MAX ||
           problem_set(
               problem, PROBLEM_LIMIT,
               "%s: the mesh has at least %" PRIu64
               " triangles, an STL file's count ends at %" PRIu32 "; "
               "write a .vtp file, or choose an isovalue with less surface",
               path, mesh->triangle_count, UINT32_MAX);
}

struct facet {
    float normal[3], corners[3][3];
};

// The unit normal by the corners' order; false where the triangle has no area.
static bool stl_set_normal(struct facet *facet)
{
    double side[2][3], normal[3];
    const float *first = facet->corners[0];
    for (int c = 0; c < 2; c++) {
        const float *corner = facet->corners[c + 1];
        for (int k = 0; k < 3; k++) {
            side[c][k] = (double)corner[k] - (double)first[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        normal[k] = side[0][u] * side[1][v] - side[0][v] * side[1][u];
    }
    const double length = hypot(hypot(normal[0], normal[1]), normal[2]);
    for (int k = 0; k < 3; k++) {
        facet->normal[k] = (float)(normal[k] / length);
    }
    return length > 0;
}

static bool stl_put_facet(struct mesh_sink *sink, const struct facet *facet)
{
    unsigned char record[FACET], *at = put_floats(record, facet->normal);
    for (int k = 0; k < 3; k++) {
        at = put_floats(at, facet->corners[k]);
    }
    put_u16(at, 0);
    return mesh_sink_record(sink, record, sizeof record);
}

// Puts (`put`) or counts the facets of the window that have an area.
static bool stl_each_facet(const struct mesh_source *mesh, struct mesh_sink *sink, bool put)
{
    const struct mesh_range range = mesh_window_range(sink->window, mesh->triangle_count);
    uint64_t corners[MESH_BLOCK][3];
    for (uint64_t first = range.first; first < range.end; first += MESH_BLOCK) {
        const size_t count = mesh_block(range.end, first);
        if (!mesh_sink_triangles(sink, mesh, first, count, corners) ||
            (!put && !mesh_sink_go_on(sink))) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            struct facet facet;
            for (int k = 0; k < 3; k++) {
                double corner[3];
                if (!mesh_sink_vertex(sink, mesh, corners[i][k], corner)) {
                    return false;
                }
                for (int axis = 0; axis < 3; axis++) {
                    facet.corners[k][axis] = (float)corner[axis];
                }
            }
            const bool has_area = stl_set_normal(&facet);
            if (put && has_area && !stl_put_facet(sink, &facet)) {
                return false;
            }
            sink->counted += !put && has_area;
        }
    }
    return true;
}

static void stl_warn(const struct mesh_sink *sink)
{
    const struct mesh_place *place = &sink->place;
    if (place->doubles && mesh_window_first(sink->window)) {
        log_warn(
            "'%s': STL has floats only, which round positions by up to %.2g where spacing is %.2g, "
            "because the volume is so far from 0, and leave out triangles that become flat; every "
            "other format keeps them",
            sink->output->path, place->rounding, place->least);
    }
}

bool mesh_put_stl(const struct mesh_source *mesh, struct mesh_sink *sink)
{
    const char *space = mesh_sink_space(sink);
    uint64_t before;
    if (isinf(sink->place.rounding)) {
        return problem_set(
            sink->problem, PROBLEM_INPUT,
            "'%s': STL has floats only, and positions of this volume are beyond them; write "
            "another "
            "format, such as PLY",
            sink->output->path);
    }
    stl_warn(sink);
    if (!stl_each_facet(mesh, sink, false) ||
        !mesh_window_sum(sink->window, sink->counted, &before, &sink->records, sink->problem)) {
        return false;
    }
    char text[81] = { 0 };
    snprintf(
        text, sizeof text, "binary STL made by cubist%s%s", space ? "; " : "", space ? space : "");
    unsigned char header[84];
    memcpy(header, text, 80);
    put_u32(header + 80, (uint32_t)sink->records);
    return mesh_sink_put(sink, header, sizeof header) &&
           mesh_sink_section(sink, FACET * before, FACET * sink->records) &&
           stl_each_facet(mesh, sink, true);
}
