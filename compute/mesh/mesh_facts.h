// Facts of a surface: area, enclosed volume, connected parts, Euler number, whether it is closed.
// The surface may come at once or in parts: the facts are the same to the last digit.
#pragma once

#include "compute/mesh/mesh.h"
#include "compute/mesh/mesh_place.h"

struct mesh_facts {
    double area; // in the units of the place (mesh_place.h)
    // The enclosed volume, by the divergence theorem; meaningful only if closed. Negative if the
    // surface is inside out.
    double volume;
    uint64_t parts;       // connected parts: triangles are connected if they share a vertex
    int64_t euler;        // vertices - edges + triangles: 2 for a sphere, 0 for a torus
    double bounds[2][3];  // lowest and highest corner in these units; zeros for an empty mesh
    uint64_t open_edges;  // edges with only one triangle
    uint64_t open_inside; // open edges that are not on the border of the volume's grid
    // Edges with more than two triangles, with two in the same direction, or from a vertex to
    // itself.
    uint64_t bad_edges;
    bool watertight; // no open edge inside the volume, and no bad edge
    bool closed;     // no open edge at all, and no bad edge
};

// The facts of a canonical mesh in grid units. `dim`: the volume's grid; edges tell which vertices
// are on its border. Linear time. Takes 16 bytes per vertex and 12 per triangle in addition to the
// mesh; PROBLEM_HOST_MEMORY when memory is short.
bool mesh_facts(
    const struct mesh *mesh, const uint32_t dim[3], struct mesh_facts *out,
    struct problem *problem);

// Collects the facts of a surface that comes in parts, from the bottom up. Its memory depends on
// the size of a part, not of the surface. Zero-initialise it and set `dim`, the grid of the whole
// volume. Set `place` if the facts are wanted in its units, not in grid units. Free it with
// mesh_tally_destroy.
struct mesh_tally {
    uint32_t dim[3];
    struct mesh_place place;
    struct mesh_facts facts;        // so far
    double centre[3];               // first vertex of the surface, in grid units
    bool any;                       // whether there has been a vertex
    uint64_t layer;                 // the layer of cells that is being summed
    double twice_area, six_volumes; // sums over that layer
    uint64_t vertices, edges, triangles;
    // About the vertices that the next part shares with the part added last.
    uint64_t shared;
    uint64_t *labels;     // per shared vertex: the first one in its connected part
    uint32_t (*sides)[2]; // sides of triangles between two shared vertices
    uint64_t side_count;
};

// Adds a part: a canonical mesh whose `edges` are those of the whole volume. Its first `own`
// vertices belong to it. The vertices after them are the first ones of the next part, in the same
// order; the last part has none. PROBLEM_HOST_MEMORY when memory is short.
bool mesh_tally_add(
    struct mesh_tally *tally, const struct mesh *part, uint64_t own, struct problem *problem);

// Call it after the last part. PROBLEM_INTERNAL if a part is missing.
bool mesh_tally_end(struct mesh_tally *tally, struct mesh_facts *out, struct problem *problem);

void mesh_tally_destroy(struct mesh_tally *tally);
