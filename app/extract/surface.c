#include "app/extract/surface.h"

#include "app/base/report.h"

#include <inttypes.h>
#include <math.h>

void measured_json(const struct measured *measured, json_t *json)
{
    json_add_number(json, "iso", measured->result.iso);
    json_add_text(json, "method", measured->result.method->name);
    choices_json(&measured->result, json);
    surface_json(measured, json);
}

void surface_json(const struct measured *measured, json_t *json)
{
    const struct extraction_result *counts = &measured->result;
    const struct mesh_facts *facts = &measured->facts;
    json_add_count(json, "active_cells", counts->active_cells);
    json_add_count(json, "vertices", counts->vertices);
    json_add_count(json, "triangles", counts->triangles);
    if (!measured->has_facts) {
        return;
    }
    json_add_number(json, "area", facts->area);
    json_add_number(json, "volume", facts->closed ? facts->volume : NAN);
    json_add_count(json, "parts", facts->parts);
    json_add_integer(json, "euler", facts->euler);
    json_add_bool(json, "watertight", facts->watertight);
    json_add_bool(json, "closed", facts->closed);
    json_add_count(json, "open_edges", facts->open_edges);
    json_t *bounds = json_add_array(json, "bounds");
    json_add_numbers(bounds, NULL, facts->bounds[0], 3);
    json_add_numbers(bounds, NULL, facts->bounds[1], 3);
}

void surface_text(const struct measured *measured, FILE *file)
{
    const struct extraction_result *counts = &measured->result;
    const struct mesh_facts *facts = &measured->facts;
    fprintf(file, "active cells  %" PRIu64 "\n", counts->active_cells);
    fprintf(file, "vertices      %" PRIu64 "\n", counts->vertices);
    fprintf(file, "triangles     %" PRIu64 "\n", counts->triangles);
    if (!measured->has_facts) {
        return;
    }
    fprintf(file, "area          %.9g\n", facts->area);
    if (facts->closed) {
        fprintf(file, "volume        %.9g\n", facts->volume);
    } else {
        fprintf(
            file, "volume        none: the surface is open along %" PRIu64 " edges\n",
            facts->open_edges);
    }
    fprintf(file, "parts         %" PRIu64 "\n", facts->parts);
    fprintf(file, "Euler number  %" PRId64 "\n", facts->euler);
    fprintf(
        file, "watertight    %s\n",
        !facts->watertight ? "no"
        : facts->closed    ? "yes"
                           : "yes, but for where the volume ends");
    for (int axis = 0; axis < 3 && counts->vertices > 0; axis++) {
        fprintf(
            file, "%s%.9g to %.9g\n",
            (const char *[]){ "bounds        x ", "              y ", "              z " }[axis],
            facts->bounds[0][axis], facts->bounds[1][axis]);
    }
}
