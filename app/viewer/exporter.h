// Orders a mesh and writes it to a file in a thread of its own, while the viewer goes on.
#pragma once

#include "compute/mesh/mesh.h"

struct exporter;

enum exporter_state { EXPORTER_BUSY, EXPORTER_DONE, EXPORTER_FAILED };

// Writes a new file: `path`, or NAME-2.ply and so on where that is taken. Takes the mesh over, also
// on false. It is in grid units and in any order; `volume` places it in
// the world and is not looked at after the call.
bool exporter_start(
    struct mesh *mesh, const struct volume *volume, const char *path, struct exporter **out,
    struct problem *problem);

// Asks it to give up, waits for it and frees it. Takes NULL.
void exporter_destroy(struct exporter *exporter);

void exporter_cancel(struct exporter *exporter); // it then fails with PROBLEM_INTERRUPTED, soon
const char *exporter_path(const struct exporter *exporter); // once it is done, what it came to
uint64_t exporter_triangles(const struct exporter *exporter);
double exporter_share(const struct exporter *exporter); // 0..1 of writing; 0 while it is ordered

// When it failed the problem says why.
enum exporter_state exporter_look(const struct exporter *exporter, struct problem *problem);
