// A surface for a report: what was counted, measured and timed.
#pragma once

#include "app/base/json.h"
#include "app/cli/session.h"
#include "compute/mesh/mesh_facts.h"

struct measured {
    struct extraction_result result;
    struct extract_totals totals;
    bool has_facts;
    struct mesh_facts facts;
    double extract_ms; // if session->reports_parts: all of it, with facts_ms; else only the step
    double facts_ms, write_ms;
    uint64_t device_bytes; // the most device memory that was allocated at once
};

// Adds isovalue, method, counts and facts as members of the open object.
void measured_json(const struct measured *measured, json_t *json);

// Counts and facts alone, as members or as lines. All commands use these.
void surface_json(const struct measured *measured, json_t *json);
void surface_text(const struct measured *measured, FILE *file);
