#include "app/extract/surface.h"

#include "app/base/number.h"
#include "app/base/report.h"

#include <math.h>

void totals_add(struct extract_totals *sum, const struct extract_totals *other)
{
    sum->vertices += other->vertices;
    sum->triangles += other->triangles;
    sum->active_bricks += other->active_bricks;
    sum->active_cells += other->active_cells;
    sum->parts += other->parts;
    sum->loaded += other->loaded;
    sum->missed += other->missed;
    sum->cut += other->cut;
    sum->bytes_read += other->bytes_read;
    sum->upload_ms += other->upload_ms;
    sum->ranges_ms += other->ranges_ms;
    sum->kernels_ms += other->kernels_ms;
    sum->extract_ms += other->extract_ms;
    sum->download_ms += other->download_ms;
}

void measured_add(struct measured *sum, const struct measured *other)
{
    sum->result.iso = NAN;
    sum->result.active_cells += other->result.active_cells;
    sum->result.vertices += other->result.vertices;
    sum->result.triangles += other->result.triangles;
    extract_add_stages(&sum->result, &other->result);
    totals_add(&sum->totals, &other->totals);
    sum->has_facts = false;
    sum->extract_ms += other->extract_ms;
    sum->facts_ms += other->facts_ms;
    sum->write_ms += other->write_ms;
    sum->device_bytes =
        other->device_bytes > sum->device_bytes ? other->device_bytes : sum->device_bytes;
}

void measured_json(const struct measured *list, uint32_t count, json_t *json)
{
    struct measured sum = list[0];
    for (uint32_t i = 1; i < count; i++) {
        measured_add(&sum, &list[i]);
    }
    json_add_number(json, "iso", sum.result.iso);
    json_add_text(json, "method", sum.result.method->name);
    choices_json(&sum.result, json);
    surface_json(&sum, json);
    json_t *contours = count > 1 ? json_add_array(json, "contours") : NULL;
    for (uint32_t i = 0; contours && i < count; i++) {
        json_t *contour = json_add_object(contours, NULL);
        measured_json(&list[i], 1, contour);
        if (list[i].output) {
            json_add_text(contour, "output", list[i].output);
        }
    }
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
    char text[32];
    fprintf(file, "active cells  %s\n", number_thousands(counts->active_cells, text));
    fprintf(file, "vertices      %s\n", number_thousands(counts->vertices, text));
    fprintf(file, "triangles     %s\n", number_thousands(counts->triangles, text));
    if (!measured->has_facts) {
        return;
    }
    fprintf(file, "area          %.9g\n", facts->area);
    if (facts->closed) {
        fprintf(file, "volume        %.9g\n", facts->volume);
    } else {
        fprintf(
            file, "volume        none: the surface is open along %s edges\n",
            number_thousands(facts->open_edges, text));
    }
    fprintf(file, "parts         %s\n", number_thousands(facts->parts, text));
    fprintf(
        file, "Euler number  %s%s\n", facts->euler < 0 ? "-" : "",
        number_thousands((uint64_t)(facts->euler < 0 ? -facts->euler : facts->euler), text));
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
