// Facts of a surface: area, enclosed volume, connected parts, Euler number, whether it is closed.
// The surface may come at once or part by part: the facts are the same to the last digit.
#pragma once

#include "compute/mesh/mesh.h"

struct mesh_facts {
    double area;          // in the units of the positions
    double volume;        // enclosed, by the divergence theorem; meaningful only where closed.
                          // Negative where the surface is turned inside out
    uint64_t parts;       // connected parts: triangles hang together where they share a vertex
    int64_t euler;        // vertices - edges + triangles: 2 for each ball, 0 for each torus
    double bounds[2][3];  // lowest and highest corner; zeros for an empty mesh
    uint64_t open_edges;  // edges with one triangle only
    uint64_t open_inside; // those that do not lie on the border of the volume's grid
    uint64_t bad_edges; // edges with more than two triangles, or with two that run along it in the
                        // same direction, or from a vertex to itself
    bool watertight;    // no open edge inside the volume and no bad edge
    bool closed;        // no open edge at all and no bad edge
};

// Of a canonical mesh. `dim`: the grid the mesh was cut from (edges tell exactly which vertices lie
// on its border). Linear time; beside the mesh 16 bytes per vertex and 12 per triangle,
// PROBLEM_HOST_MEMORY without.
bool mesh_facts(
    const struct mesh *mesh, const uint32_t dim[3], struct mesh_facts *out,
    struct problem *problem);

// The facts of a surface that comes part by part, from the bottom up, in memory that grows with a
// part and not with the surface. Zero-initialised but for `dim`, the grid of the whole. Release
// with mesh_tally_destroy.
struct mesh_tally {
    uint32_t dim[3];
    struct mesh_facts facts;        // so far
    double centre[3];               // the first vertex of the surface
    bool any;                       // vertex has come
    uint64_t layer;                 // of cells, that is summed up
    double twice_area, six_volumes; // of it
    uint64_t vertices, edges, triangles;
    // What the next part needs to know of the vertices that it shares with the last one.
    uint64_t shared;
    uint64_t *labels;     // the first shared vertex of the same connected part
    uint32_t (*sides)[2]; // sides of triangles between two of them
    uint64_t side_count;
};

// Adds a part: a canonical mesh whose `edges` are those of the whole volume. Its first `own`
// vertices are its own. Those behind are the first ones of the next part, in the same order; the
// last part has none. PROBLEM_HOST_MEMORY where there is no memory.
bool mesh_tally_add(
    struct mesh_tally *tally, const struct mesh *part, uint64_t own, struct problem *problem);

// After the last part. PROBLEM_INTERNAL where a part is missing.
bool mesh_tally_end(struct mesh_tally *tally, struct mesh_facts *out, struct problem *problem);

void mesh_tally_destroy(struct mesh_tally *tally);
