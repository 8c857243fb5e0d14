// One surface for a report: it is extracted, copied to the host, converted to the volume's units,
// measured and written.
#pragma once

#include "app/base/json.h"
#include "app/cli/session.h"
#include "compute/mesh/mesh_facts.h"
#include "compute/mesh/mesh_formats.h"

struct measured {
    struct extraction_result result;
    struct extract_totals totals;
    struct mesh_facts facts;
    double extract_ms; // if session->reports_parts: all of it, with facts_ms; else only the step
    double facts_ms, write_ms;
    uint64_t device_bytes; // the most device memory that was allocated at once
};

// Needs session_read or session_load. Opens the device if it is not open, and extracts at the
// isovalue of --iso with the method of --method. Writes the mesh to options->output in `format`;
// NULL: no mesh is written. The facts stay zeros where no report is asked for (options_report). May
// free the samples in host memory when the device has them. On false nothing was written.
bool measure(
    struct session *session, const struct options *options, const struct mesh_format *format,
    struct measured *out, struct problem *problem);

// Sets result and device_bytes from the totals, after the surface of `query` was made.
void measured_count(
    struct measured *measured, const struct session *session, const struct query *query);

// Adds the facts as members of the open object, or prints them as lines. All commands use these.
void measured_json(const struct measured *measured, json_t *json);
void measured_text(const struct measured *measured, FILE *file);

// What there is of a surface without the facts about it.
struct surface_counts {
    uint64_t active_cells, vertices, triangles;
};

// The same without isovalue and method. `facts` NULL: only the counts.
void surface_json(
    const struct surface_counts *counts, const struct mesh_facts *facts, json_t *json);
void surface_text(const struct surface_counts *counts, const struct mesh_facts *facts, FILE *file);
