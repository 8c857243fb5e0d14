// The idea: the surface crosses each face of a cell in segments, and these depend only on the
// corners of the face.
//
// Go around the four corners of a face counter-clockwise, seen from outside the cell. Each run of
// inside corners is entered over one edge and left over another one. This gives one segment, from
// the entering edge to the leaving one. On a face with two diagonal inside corners there are two
// runs, so the inside corners are separated, and no face is ambiguous. The cell on the other side
// of the face sees the same corners and makes the same segments in the opposite direction. The two
// faces of an edge of the cube pass it in opposite directions, so it is entered once and left once:
// the segments form closed loops.
//
// A loop is divided into triangles by diagonals. A diagonal on a face of the cube could coincide
// with a segment or a diagonal of the next cell, which would give an edge with four triangles. So
// the search below takes the first triangulation without such a diagonal. There always is one: the
// tests check all cases.
//
// After Lorensen and Cline 1987. The rule for the faces is that of Montani, Scateni and Scopigno
// 1994 ("A modified look-up table for implicit disambiguation of marching cubes"). It differs from
// published tables: it is derived, and it keeps diagonals off the faces.

#include "compute/reference/tables.h"

#include <assert.h>
#include <stdbool.h>

#define EDGES    12
#define NO_EDGE  0xff
#define LOOP_MAX 7 // the longest possible loop

// The edge between two corners that differ in one coordinate.
static uint8_t tables_edge(int a, int b)
{
    const int along = a ^ b; // 1, 2 or 4: the axis
    const int low = a & b;
    switch (along) {
    case 1:
        return 0 + (low >> 1);
    case 2:
        return 4 + ((low & 1) | (low >> 2 & 1) << 1);
    default:
        assert(along == 4);
        return 8 + (low & 3);
    }
}

// Corner i (0..3) of a face, counter-clockwise seen from outside. Face 2 * axis + side is the one
// where the coordinate along the axis is `side`.
static int tables_face_corner(int face, int i)
{
    const int axis = face >> 1, side = face & 1;
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    // 0, u, u + v, v turns counter-clockwise seen from the far end of the axis.
    const int ring[4] = { 0, u, u | v, v };
    return ring[side ? i : 3 - i] | side << axis;
}

// The two faces that an edge is on, a bit per face.
static int tables_edge_faces(uint8_t edge)
{
    const int axis = edge >> 2;
    const int p = axis == 0 ? 1 : 0, q = axis == 2 ? 1 : 2; // the other two axes
    return 1 << (2 * p + (edge & 1)) | 1 << (2 * q + (edge >> 1 & 1));
}

// Sets next[e] to the edge where the segment from edge e ends, NO_EDGE if e does not cross.
static void tables_follow_faces(int corners, uint8_t next[EDGES])
{
    for (int e = 0; e < EDGES; e++) {
        next[e] = NO_EDGE;
    }
    for (int face = 0; face < 6; face++) {
        for (int i = 0; i < 4; i++) {
            const int before = tables_face_corner(face, i),
                      first = tables_face_corner(face, (i + 1) & 3);
            if ((corners >> before & 1) || !(corners >> first & 1)) {
                continue;
            }
            int last = i + 1; // last corner of the run of inside corners that begins here
            while (corners >> tables_face_corner(face, (last + 1) & 3) & 1) {
                last++;
            }
            next[tables_edge(before, first)] = tables_edge(
                tables_face_corner(face, last & 3), tables_face_corner(face, (last + 1) & 3));
        }
    }
}

static bool tables_may_join(const uint8_t *loop, int count, int a, int b)
{
    const bool side = b == a + 1 || (a == 0 && b == count - 1);
    return side || !(tables_edge_faces(loop[a]) & tables_edge_faces(loop[b]));
}

// Triangulates the polygon loop[first..last] of a loop of `count`. The side from first to last
// belongs to one triangle; each possible third corner is tried. The polygons on both sides of that
// triangle are triangulated in the same way. Appends to `out`; on false `out` is as it was.
static bool tables_triangulate(
    const uint8_t *loop, int count, int first, int last, struct marching_cubes_case *out)
{
    if (last - first < 2) {
        return true;
    }
    const uint8_t before = out->triangle_count;
    for (int middle = first + 1; middle < last; middle++) {
        if (!tables_may_join(loop, count, first, middle) ||
            !tables_may_join(loop, count, middle, last)) {
            continue;
        }
        assert(out->triangle_count < CASE_MAX_TRIANGLES);
        uint8_t *triangle = out->edges[out->triangle_count++];
        triangle[0] = loop[first];
        triangle[1] = loop[middle];
        triangle[2] = loop[last];
        if (tables_triangulate(loop, count, first, middle, out) &&
            tables_triangulate(loop, count, middle, last, out)) {
            return true;
        }
        out->triangle_count = before;
    }
    return false;
}

void marching_cubes_derive(struct marching_cubes_case cases[CASES])
{
    for (int corners = 0; corners < CASES; corners++) {
        cases[corners] = (struct marching_cubes_case){ 0 };
        uint8_t next[EDGES];
        tables_follow_faces(corners, next);
        for (int e = 0; e < EDGES; e++) {
            uint8_t loop[LOOP_MAX];
            int count = 0;
            for (uint8_t at = e; next[at] != NO_EDGE;) {
                assert(count < LOOP_MAX);
                loop[count++] = at;
                const uint8_t to = next[at];
                next[at] = NO_EDGE; // each loop is followed once
                at = to;
            }
            const bool cut = tables_triangulate(loop, count, 0, count - 1, &cases[corners]);
            assert(cut);
            (void)cut;
        }
    }
}
