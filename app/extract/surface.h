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
    double extract_ms; // with session->reports_parts: of all work, with facts; else of the step
    double facts_ms, write_ms;
    uint64_t device_bytes; // the most device memory that was allocated at once
};

// Adds isovalue, method, counts and facts as members of the open object.
void measured_json(const struct measured *measured, json_t *json);

// Write only counts and facts, as members or as lines. All commands use these functions.
void surface_json(const struct measured *measured, json_t *json);
void surface_text(const struct measured *measured, FILE *file);
