// One surface for a report: extracted, brought to the host, put into the volume's units, measured
// and written.
#pragma once

#include "app/base/json.h"
#include "app/cli/session.h"
#include "compute/mesh/mesh_facts.h"
#include "compute/mesh/mesh_formats.h"

struct measured {
    struct extraction_result result;
    struct extract_totals totals;
    struct mesh_facts facts;
    double
        extract_ms; // all of it, with facts_ms, where session->reports_parts; else the step alone
    double facts_ms, write_ms;
    uint64_t device_bytes; // most that was allocated on the device at once
};

// With the session loaded, or read: opens the device where it is not, and extracts at the isovalue
// of --iso with the method of --method. Writes the mesh to options->output in this `format`; NULL:
// it is not written. The samples in host memory may be given up once the device has them. False:
// nothing was written.
bool measure(
    struct session *session, const struct options *options, const struct mesh_format *format,
    struct measured *out, struct problem *problem);

// The facts as members of the object that is open, and as lines; both the same for every command.
void measured_json(const struct measured *measured, json_t *json);
void measured_text(const struct measured *measured, FILE *file);
