// The idea: the surface meets each face of a cell in segments, and the faces alone decide them.
//
// Walk the four corners of a face counter-clockwise, seen from outside the cell. Each run of inside
// corners is entered over one edge and left over another: one segment, from the entering edge to
// the leaving one. On a face with two diagonal inside corners these are two runs, so the inside
// corners are separated without a word about ambiguity, and the cell beyond the face, which sees
// the same corners, draws the same segments the other way round. An edge of the cube is walked
// once in each direction by its two faces, so it is entered once and left once: the segments form
// closed loops.
//
// A loop is cut into triangles by diagonals. One that lies on a face of the cube could meet a
// segment or a diagonal of the next cell there, and an edge with four triangles would be born; so
// the search below takes the first triangulation that has none. There always is one (the tests
// look at all cases).
//
// After Lorensen and Cline 1987; the rule for the faces is that of Montani, Scateni and Scopigno
// 1994 ("A modified look-up table for implicit disambiguation of marching cubes"). Differs from
// published tables in being derived, and in keeping diagonals off the faces.

#include "compute/reference/tables.h"

#include <assert.h>
#include <stdbool.h>

#define EDGES    12
#define NO_EDGE  0xff
#define LOOP_MAX 7 // longest loop there is

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

// Corner i (0..3) of face f, counter-clockwise seen from outside. Face 2 axis + side is the one
// where that coordinate is `side`.
static int tables_face_corner(int face, int i)
{
    const int axis = face >> 1, side = face & 1;
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    // 0, u, u + v, v turns counter-clockwise seen from the far end of the axis.
    const int ring[4] = { 0, u, u | v, v };
    return ring[side ? i : 3 - i] | side << axis;
}

// Which faces an edge lies on, a bit per face.
static int tables_edge_faces(uint8_t edge)
{
    const int axis = edge >> 2;
    const int p = axis == 0 ? 1 : 0, q = axis == 2 ? 1 : 2; // the other two axes
    return 1 << (2 * p + (edge & 1)) | 1 << (2 * q + (edge >> 1 & 1));
}

// next[e]: the edge that the segment from edge e leads to, NO_EDGE where e does not cross.
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
            int last = i + 1; // of the run of inside corners that begins here
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

// Cuts the polygon loop[first..last] of a loop of `count`: its side first-last belongs to one
// triangle, whose third corner is tried in turn; what is left on both sides is cut in the same way.
// Appends to `out`; on false it is as it was.
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
                next[at] = NO_EDGE; // each loop is walked once
                at = to;
            }
            const bool cut = tables_triangulate(loop, count, 0, count - 1, &cases[corners]);
            assert(cut);
            (void)cut;
        }
    }
}
