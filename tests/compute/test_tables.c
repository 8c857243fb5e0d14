// The 256 cases, and pairs of neighbouring cells. Nothing here repeats the derivation: the tests
// use only corners, edges and triangles.

#include "compute/reference/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define EDGES 12

static struct marching_cubes_case cases[CASES];

// The lower end of an edge, as defined in tables.h.
static void edge_start(int edge, int at[3])
{
    const int axis = edge >> 2;
    at[axis] = 0;
    at[axis == 0 ? 1 : 0] = edge & 1;
    at[axis == 2 ? 1 : 2] = edge >> 1 & 1;
}

static int corner_at(const int at[3])
{
    return at[0] | at[1] << 1 | at[2] << 2;
}

static bool crosses(int corners, int edge)
{
    int at[3];
    edge_start(edge, at);
    const int low = corner_at(at);
    at[edge >> 2] = 1;
    return (corners >> low & 1) != (corners >> corner_at(at) & 1);
}

static int faces_of(int edge)
{
    int at[3], faces = 0;
    edge_start(edge, at);
    for (int k = 0; k < 3; k++) {
        faces |= k == edge >> 2 ? 0 : 1 << (2 * k + at[k]);
    }
    return faces;
}

// count[a][b]: triangle sides of the case that run from edge a to edge b.
static void count_sides(const struct marching_cubes_case *one, uint8_t count[EDGES][EDGES])
{
    memset(count, 0, EDGES * EDGES);
    for (int i = 0; i < one->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            count[one->edges[i][k]][one->edges[i][(k + 1) % 3]]++;
        }
    }
}

// A side with a partner in the opposite direction is a diagonal within the cell.
static bool has_diagonal_on_face(const struct marching_cubes_case *one)
{
    uint8_t count[EDGES][EDGES];
    count_sides(one, count);
    for (int a = 0; a < EDGES; a++) {
        for (int b = 0; b < EDGES; b++) {
            if (count[a][b] && count[b][a] && faces_of(a) & faces_of(b)) {
                return true;
            }
        }
    }
    return false;
}

// The loops of a case, found from its triangles: the sides without a partner.
static void loops_of(const struct marching_cubes_case *one, int next[EDGES])
{
    uint8_t count[EDGES][EDGES];
    count_sides(one, count);
    for (int a = 0; a < EDGES; a++) {
        next[a] = -1;
        for (int b = 0; b < EDGES; b++) {
            if (count[a][b] && !count[b][a]) {
                next[a] = b;
            }
        }
    }
}

// A table that the tests must reject: the same loops, triangulated as fans from each loop's first
// edge in the numbering of published tables (bottom ring, top ring, uprights).
static void cut_by_fans(const struct marching_cubes_case *one, struct marching_cubes_case *out)
{
    static const int published[EDGES] = { 0, 5, 1, 4, 2, 7, 3, 6, 8, 9, 11, 10 };
    int next[EDGES];
    loops_of(one, next);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < EDGES; i++) {
        const int hub = published[i];
        if (next[hub] < 0) {
            continue;
        }
        int at = next[hub];
        while (next[at] != hub) {
            assert_in_range(out->triangle_count, 0, CASE_MAX_TRIANGLES - 1);
            uint8_t *triangle = out->edges[out->triangle_count++];
            triangle[0] = (uint8_t)hub;
            triangle[1] = (uint8_t)at;
            triangle[2] = (uint8_t)next[at];
            const int done = at;
            at = next[at];
            next[done] = -1;
        }
        next[at] = next[hub] = -1;
    }
}

static void test_edges_used(void **state)
{
    (void)state;
    for (int corners = 0; corners < CASES; corners++) {
        int used = 0, crossing = 0;
        assert_in_range(cases[corners].triangle_count, 0, CASE_MAX_TRIANGLES);
        for (int i = 0; i < cases[corners].triangle_count; i++) {
            const uint8_t *e = cases[corners].edges[i];
            for (int k = 0; k < 3; k++) {
                assert_in_range(e[k], 0, EDGES - 1);
                used |= 1 << e[k];
            }
            assert_true(e[0] != e[1] && e[1] != e[2] && e[2] != e[0]);
        }
        for (int e = 0; e < EDGES; e++) {
            crossing |= crosses(corners, e) << e;
        }
        assert_int_equal(used, crossing);
    }
    assert_int_equal(cases[0].triangle_count, 0);
    assert_int_equal(cases[CASES - 1].triangle_count, 0);
}

// Within a cell, each side occurs at most once in a direction, and a side without a partner is on a
// face.
static void test_sides(void **state)
{
    (void)state;
    for (int corners = 0; corners < CASES; corners++) {
        uint8_t count[EDGES][EDGES];
        count_sides(&cases[corners], count);
        for (int a = 0; a < EDGES; a++) {
            for (int b = 0; b < EDGES; b++) {
                assert_in_range(count[a][b], 0, 1);
                if (count[a][b] && !count[b][a]) {
                    assert_true(faces_of(a) & faces_of(b));
                }
            }
        }
    }
}

static void test_no_diagonal_on_a_face(void **state)
{
    (void)state;
    for (int corners = 0; corners < CASES; corners++) {
        assert_false(has_diagonal_on_face(&cases[corners]));
    }
}

// Two neighbouring cells along an axis: which corners they share, and a number for each edge, which
// is the same in both cells for a shared edge.
struct pair {
    int axis;
    int sides;  // sides that run more than once in a direction
    int many;   // edges between two vertices that have more than two triangles
    int cracks; // sides without a partner that are not on the outside of the pair
};

// The edge of the first cell (0..11) that an edge of the second is, or 12 + itself.
static int pair_edge(int axis, int cell, int edge)
{
    int at[3];
    edge_start(edge, at);
    if (cell == 0 || edge >> 2 == axis || at[axis] == 1) {
        return cell == 0 ? edge : EDGES + edge;
    }
    for (int other = 0; other < EDGES; other++) {
        int from[3];
        edge_start(other, from);
        from[axis] -= other >> 2 == axis ? 2 : 1; // an edge along the axis never matches
        if (other >> 2 == edge >> 2 && !memcmp(from, at, sizeof at)) {
            return other;
        }
    }
    fail_msg("edge %d of the second cell is not found in the first", edge);
    return 0;
}

// The outer faces of the pair that a vertex is on.
static int pair_faces(int axis, int cell, int edge)
{
    return faces_of(edge) & ~(1 << (2 * axis + (cell == 0)));
}

static void
judge_pair(struct pair *pair, const struct marching_cubes_case table[CASES], int first, int second)
{
    uint8_t count[2 * EDGES][2 * EDGES] = { 0 };
    int faces[2 * EDGES] = { 0 };
    for (int cell = 0; cell < 2; cell++) {
        const struct marching_cubes_case *one = &table[cell ? second : first];
        for (int i = 0; i < one->triangle_count; i++) {
            for (int k = 0; k < 3; k++) {
                const int a = one->edges[i][k], b = one->edges[i][(k + 1) % 3];
                const int pa = pair_edge(pair->axis, cell, a);
                count[pa][pair_edge(pair->axis, cell, b)]++;
                faces[pa] |= pair_faces(pair->axis, cell, a);
            }
        }
    }
    for (int a = 0; a < 2 * EDGES; a++) {
        for (int b = 0; b < 2 * EDGES; b++) {
            pair->sides += count[a][b] > 1;
            pair->many += a < b && count[a][b] + count[b][a] > 2;
            pair->cracks += count[a][b] && !count[b][a] && !(faces[a] & faces[b]);
        }
    }
}

// All 4096 combinations of the twelve corners of two neighbours, along each axis.
static struct pair judge_all_pairs(const struct marching_cubes_case table[CASES], int *judged)
{
    struct pair sum = { 0 };
    *judged = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum.axis = axis;
        for (int first = 0; first < CASES; first++) {
            for (int second = 0; second < CASES; second++) {
                bool meet = true;
                for (int c = 0; c < 8; c++) {
                    const int bit = 1 << axis;
                    meet &= c & bit ? (first >> c & 1) == (second >> (c ^ bit) & 1) : true;
                }
                if (meet) {
                    judge_pair(&sum, table, first, second);
                    ++*judged;
                }
            }
        }
    }
    return sum;
}

static void test_neighbours(void **state)
{
    (void)state;
    int judged;
    const struct pair sum = judge_all_pairs(cases, &judged);
    assert_int_equal(judged, 3 * 4096);
    assert_int_equal(sum.sides, 0);
    assert_int_equal(sum.many, 0);
    assert_int_equal(sum.cracks, 0);
}

// The checks above detect the errors that they are meant for.
static void test_fans_are_caught(void **state)
{
    (void)state;
    static struct marching_cubes_case fans[CASES];
    int caught = 0;
    for (int corners = 0; corners < CASES; corners++) {
        cut_by_fans(&cases[corners], &fans[corners]);
        assert_int_equal(fans[corners].triangle_count, cases[corners].triangle_count);
        caught += has_diagonal_on_face(&fans[corners]);
    }
    assert_int_equal(caught, 20);

    int judged;
    const struct pair sum = judge_all_pairs(fans, &judged);
    assert_true(sum.many > 0);
    assert_int_equal(sum.cracks, 0); // the loops are the same
}

// A table that joins the inside corners on a face of a single case: neighbours do not match any
// more.
static void test_cracks_are_caught(void **state)
{
    (void)state;
    static struct marching_cubes_case broken[CASES];
    memcpy(broken, cases, sizeof broken);
    // Corners 0 and 3 are diagonal on the face z = 0; the complement's triangles, turned, join
    // them.
    const int corners = 1 << 0 | 1 << 3;
    broken[corners] = cases[~corners & 0xff];
    for (int i = 0; i < broken[corners].triangle_count; i++) {
        const uint8_t kept = broken[corners].edges[i][1];
        broken[corners].edges[i][1] = broken[corners].edges[i][2];
        broken[corners].edges[i][2] = kept;
    }
    int judged;
    assert_true(judge_all_pairs(broken, &judged).cracks > 0);
}

static void vertex_at(int edge, double out[3])
{
    int at[3];
    edge_start(edge, at);
    for (int k = 0; k < 3; k++) {
        out[k] = k == edge >> 2 ? 0.5 : at[k];
    }
}

// The sum of a case's triangles' normals (twice their area vectors).
static void area_vector(const struct marching_cubes_case *one, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0;
    for (int i = 0; i < one->triangle_count; i++) {
        double p[3][3];
        for (int k = 0; k < 3; k++) {
            vertex_at(one->edges[i][k], p[k]);
        }
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            sum[k] += (p[1][u] - p[0][u]) * (p[2][v] - p[0][v]) -
                      (p[1][v] - p[0][v]) * (p[2][u] - p[0][u]);
        }
    }
}

// Triangles face lower values. With 1 inside and 0 outside, the mean of the trilinear gradient over
// the cell is a quarter of the sum of the differences along its edges. It must not point in the
// direction of the sum of the normals. If the corners balance, it is zero and proves nothing.
static void test_orientation(void **state)
{
    (void)state;
    int told = 0;
    for (int corners = 1; corners < CASES - 1; corners++) {
        double slope[3] = { 0 }, area[3];
        for (int e = 0; e < EDGES; e++) {
            int at[3];
            edge_start(e, at);
            const int low = corner_at(at);
            at[e >> 2] = 1;
            slope[e >> 2] += ((corners >> corner_at(at) & 1) - (corners >> low & 1)) / 4.0;
        }
        area_vector(&cases[corners], area);
        const double dot = slope[0] * area[0] + slope[1] * area[1] + slope[2] * area[2];
        const bool flat = slope[0] == 0 && slope[1] == 0 && slope[2] == 0;
        if (!flat) {
            assert_true(dot < 0);
            told++;
        }
    }
    assert_true(told > 200);

    // One corner by hand: its triangle faces the seven others.
    assert_int_equal(cases[1].triangle_count, 1);
    double area[3];
    area_vector(&cases[1], area);
    assert_true(area[0] > 0 && area[1] > 0 && area[2] > 0);
}

static bool has_ambiguous_face(int corners)
{
    for (int face = 0; face < 6; face++) {
        const int axis = face >> 1, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
        const int base = (face & 1) << axis;
        const int a = corners >> base & 1, b = corners >> (base | u) & 1,
                  c = corners >> (base | u | v) & 1, d = corners >> (base | v) & 1;
        if (a == c && b == d && a != b) {
            return true;
        }
    }
    return false;
}

// Complements: without an ambiguous face, a case and its complement have the same loops in opposite
// directions. With one they must not, because the inside corners are separated in both.
static void test_complement(void **state)
{
    (void)state;
    for (int corners = 0; corners < CASES; corners++) {
        int next[EDGES], other[EDGES];
        loops_of(&cases[corners], next);
        loops_of(&cases[~corners & 0xff], other);
        bool reversed = true;
        for (int e = 0; e < EDGES; e++) {
            assert_int_equal(next[e] >= 0, other[e] >= 0);
            reversed &= next[e] < 0 || other[next[e]] == e;
        }
        assert_int_equal(reversed, !has_ambiguous_face(corners));
    }
}

// On an ambiguous face each segment separates one inside corner: it joins two edges that meet
// there.
static void test_inside_is_separated(void **state)
{
    (void)state;
    int seen = 0;
    for (int corners = 0; corners < CASES; corners++) {
        int next[EDGES];
        loops_of(&cases[corners], next);
        for (int a = 0; a < EDGES; a++) {
            const int b = next[a];
            if (b < 0) {
                continue;
            }
            const int face = faces_of(a) & faces_of(b);
            int on_face = 0;
            for (int e = 0; e < EDGES; e++) {
                on_face += faces_of(e) & face && crosses(corners, e);
            }
            if (on_face != 4) {
                continue;
            }
            int from[3], to[3];
            edge_start(a, from);
            edge_start(b, to);
            const int a_ends = 1 << corner_at(from) | 1 << (corner_at(from) | 1 << (a >> 2));
            const int b_ends = 1 << corner_at(to) | 1 << (corner_at(to) | 1 << (b >> 2));
            assert_true(a_ends & b_ends & corners);
            seen++;
        }
    }
    // 6 faces, 2 diagonals, 16 states of the other four corners, 2 segments.
    assert_int_equal(seen, 6 * 2 * 16 * 2);
}

static int derive(void **state)
{
    (void)state;
    marching_cubes_derive(cases);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges_used),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_no_diagonal_on_a_face),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_fans_are_caught),
        cmocka_unit_test(test_cracks_are_caught),
        cmocka_unit_test(test_orientation),
        cmocka_unit_test(test_complement),
        cmocka_unit_test(test_inside_is_separated),
    };
    return cmocka_run_group_tests(tests, derive, NULL);
}
