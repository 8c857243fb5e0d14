// One surface for a report: extracted, brought to the host, put into the volume's units, measured.
#pragma once

#include "app/base/json.h"
#include "app/cli/session.h"
#include "compute/mesh/mesh_facts.h"

// Zero-initialised means empty. Release with measured_destroy.
struct measured {
    struct extraction_result result;
    struct mesh mesh; // in the volume's units and place
    struct mesh_facts facts;
    bool in_pieces; // the surface came part by part, and the mesh is not here
    double extract_ms, download_ms, facts_ms;
    uint64_t device_bytes; // most that was allocated on the device at once
};

// With the volume read: opens the device where it is not, and extracts at the isovalue of --iso
// with the method of --method. The samples in host memory are given up once the device has them.
bool measure(
    struct session *session, const struct options *options, struct measured *out,
    struct problem *problem);

void measured_destroy(struct measured *measured);

// The facts as members of the object that is open, and as lines; both the same for every command.
void measured_json(const struct measured *measured, json_t *json);
void measured_text(const struct measured *measured, FILE *file);
