// Proves that the device's surface equals the reference's, method by method.
#include "app/base/number.h"
#include "app/base/progress.h"
#include "app/cli/commands/checks.h"
#include "app/cli/option_table.h"
#include "compute/compaction/cpu.h"
#include "compute/extraction/parts.h"
#include "compute/mesh/mesh_compare.h"
#include "compute/mesh/mesh_facts.h"
#include "compute/reference/reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_BLOCK (1u << 22)

struct verify {
    struct session session;
    const struct options *options;
    struct query query;     // with the method that is being checked
    struct cell_list cells; // of the reference, ascending
    struct mesh mesh;       // of the reference
    struct mesh_facts facts;
    struct checks checks;
    struct extract_totals totals; // of the last extraction
};

// The result of one extraction on the device.
struct found {
    uint64_t active_cells;
    struct cell_list cells; // in the method's order
    struct mesh_join join;
};

static void verify_found_destroy(struct found *found)
{
    cell_list_destroy(&found->cells);
    mesh_destroy(&found->join.mesh);
}

// `label` NULL: the name is the label.
static struct check *verify_add(
    struct verify *verify, const struct method *method, const char *name, const char *label,
    uint64_t expected, uint64_t found)
{
    return checks_add(&verify->checks, method->name, name, label, expected, found);
}

static int verify_by_index(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// How many cells are in only one of the lists. Both are ascending. A duplicate in one list counts,
// too.
static uint64_t verify_difference(const struct cell_list *a, const struct cell_list *b)
{
    uint64_t i = 0, j = 0, count = 0;
    while (i < a->count && j < b->count) {
        if (a->cells[i] == b->cells[j]) {
            i++;
            j++;
        } else if (a->cells[i] < b->cells[j]) {
            i++;
            count++;
        } else {
            j++;
            count++;
        }
    }
    return count + (a->count - i) + (b->count - j);
}

// In how many positions the lists differ. A position that only one list has counts, too.
static uint64_t verify_out_of_place(const struct cell_list *a, const struct cell_list *b)
{
    const uint64_t least = a->count < b->count ? a->count : b->count;
    uint64_t count = a->count + b->count - 2 * least;
    for (uint64_t i = 0; i < least; i++) {
        count += a->cells[i] != b->cells[i];
    }
    return count;
}

// How many cells of the list are not after their predecessor in the order of the stream.
static uint64_t verify_out_of_order(const struct cell_list *list, const uint32_t dim[3])
{
    uint64_t count = 0, last = 0;
    for (uint64_t i = 0; i < list->count; i++) {
        const uint64_t place = extraction_stream_order(dim, list->cells[i]);
        count += i > 0 && place <= last;
        last = place;
    }
    return count;
}

static bool
verify_copy_cells(const struct cell_list *from, struct cell_list *out, struct problem *problem)
{
    const size_t size = from->count * sizeof *from->cells;
    *out = (struct cell_list){ .count = from->count, .cells = malloc(size ? size : 1) };
    if (!out->cells) {
        *out = (struct cell_list){ 0 };
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a list of cells");
    }
    if (size) {
        memcpy(out->cells, from->cells, size);
    }
    return true;
}

// Takes the list of cells only if the volume is one part, because several parts are ordered part by
// part. An extraction may divide the volume.
static bool
verify_join_part(void *user, struct extract *extract, struct part *part, struct problem *problem)
{
    struct found *out = user;
    return (extract_totals(extract)->parts > 1 || extract_cells(extract, &out->cells, problem)) &&
           mesh_join_add(&out->join, part, problem);
}

static bool verify_make_surface(
    struct verify *verify, const struct method *method, struct found *out, struct problem *problem)
{
    struct session *session = &verify->session;
    verify->query.method = method;
    *out = (struct found){ 0 };
    const bool fine = session_each(
        session, &verify->query, "extracting", verify_join_part, out, &verify->totals, problem);
    if (fine) {
        session->reports_parts |= verify->totals.parts > 1;
        out->active_cells = verify->totals.active_cells;
    } else {
        verify_found_destroy(out);
    }
    return fine;
}

static void verify_drop_cell(struct cell_list *cells)
{
    const uint64_t at = cells->count / 2;
    cells->count--;
    memmove(cells->cells + at, cells->cells + at + 1, (cells->count - at) * sizeof *cells->cells);
}

// For tests: changes the device's result in one place.
static bool verify_damage(enum damage kind, struct found *found, struct problem *problem)
{
    if (kind != DAMAGE_NONE && found->join.mesh.triangle_count == 0) {
        return problem_set(problem, PROBLEM_USAGE, "--break finds no surface to damage");
    }
    if (kind == DAMAGE_DROP_CELL && found->cells.count == 0) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "--break drop-cell finds no list of cells: the volume is extracted in parts");
    }
    if (kind == DAMAGE_DROP_CELL) {
        verify_drop_cell(&found->cells);
    } else if (kind == DAMAGE_FLIP_INDEX) {
        uint32_t *corners = found->join.mesh.triangles[found->join.mesh.triangle_count / 2];
        const uint32_t corner = corners[1];
        corners[1] = corners[2];
        corners[2] = corner;
    } else if (kind == DAMAGE_MOVE_VERTEX) {
        found->join.mesh.positions[found->join.mesh.vertex_count / 2][0] += 0.25f;
    }
    return true;
}

static bool verify_check_cells(
    struct verify *verify, const struct method *method, const struct found *found,
    struct problem *problem)
{
    struct cell_list sorted;
    if (!verify_copy_cells(&found->cells, &sorted, problem)) {
        return false;
    }
    qsort(sorted.cells, sorted.count, sizeof *sorted.cells, verify_by_index);
    verify_add(
        verify, method, "active_cells", "active cells", verify->cells.count, found->cells.count);
    struct check *check = verify_add(
        verify, method, "cells", "cells differing", 0, verify_difference(&verify->cells, &sorted));
    if (!check->ok) {
        snprintf(check->detail, sizeof check->detail, "cells missing, surplus or duplicate");
    }
    cell_list_destroy(&sorted);
    if (method_stable(method)) {
        const uint32_t *dim = verify->session.volume.dim;
        const uint64_t wrong = method->cpu ? verify_out_of_place(&verify->cells, &found->cells)
                                           : verify_out_of_order(&found->cells, dim);
        verify_add(verify, method, "stream_order", "cells out of order", 0, wrong);
    }
    return true;
}

static bool verify_check_mesh(
    struct verify *verify, const struct method *method, const struct found *found,
    struct problem *problem)
{
    struct mesh_difference apart;
    mesh_compare(&verify->mesh, &found->join.mesh, NULL, &apart);
    const struct mesh *expected = &verify->mesh, *mesh = &found->join.mesh;
    const uint32_t first = verify->checks.count;
    verify_add(verify, method, "vertices", NULL, expected->vertex_count, mesh->vertex_count);
    verify_add(
        verify, method, "edges", "edges differing", 0, apart.edges_missing + apart.edges_surplus);
    verify_add(verify, method, "positions", "positions differing", 0, apart.positions_off);
    verify_add(verify, method, "normals", "normals differing", 0, apart.normals_off);
    verify_add(verify, method, "triangles", NULL, expected->triangle_count, mesh->triangle_count);
    verify_add(verify, method, "connectivity", "triangles differing", 0, apart.triangles_off);
    for (uint32_t i = first; i < verify->checks.count; i++) {
        struct check *check = &verify->checks.rows[i];
        if (!check->ok) {
            snprintf(check->detail, sizeof check->detail, "%s", apart.text);
        }
    }

    struct mesh_facts facts;
    if (!mesh_facts(mesh, verify->session.volume.dim, &facts, problem)) {
        return false;
    }
    verify_add(verify, method, "watertight", NULL, verify->facts.watertight, facts.watertight)
        ->is_bool = true;
    verify_add(
        verify, method, "open_edges", "open edges", verify->facts.open_edges, facts.open_edges);
    verify_add(verify, method, "bad_edges", "inconsistent edges", 0, facts.bad_edges);
    return true;
}

// For a method that promises the same order every time: compares the order of a second run, unless
// that run had to divide the volume.
static bool verify_check_again(
    struct verify *verify, const struct method *method, const struct found *found,
    struct problem *problem)
{
    struct found again;
    if (!verify_make_surface(verify, method, &again, problem)) {
        return false;
    }
    if (verify->totals.parts == 1) {
        verify_add(
            verify, method, "same_order_again", "moved in a second run", 0,
            verify_out_of_place(&found->cells, &again.cells));
    }
    verify_found_destroy(&again);
    return true;
}

// Several parts have no list of all cells. But a second run, in which some parts are still on the
// device, must give the same arrays.
static bool verify_check_parts(
    struct verify *verify, const struct method *method, const struct found *found,
    struct problem *problem)
{
    struct found again;
    if (!verify_make_surface(verify, method, &again, problem)) {
        return false;
    }
    const struct mesh *a = &found->join.mesh, *b = &again.join.mesh;
    uint64_t apart = 0;
    for (uint64_t i = 0; i < a->vertex_count && i < b->vertex_count; i++) {
        apart += memcmp(a->positions[i], b->positions[i], sizeof a->positions[i]) != 0 ||
                 memcmp(a->normals[i], b->normals[i], sizeof a->normals[i]) != 0;
    }
    for (uint64_t i = 0; i < a->triangle_count && i < b->triangle_count; i++) {
        apart += memcmp(a->triangles[i], b->triangles[i], sizeof a->triangles[i]) != 0;
    }
    verify_add(
        verify, method, "active_cells", "active cells", verify->cells.count, found->active_cells);
    verify_add(
        verify, method, "triangles_again", "triangles again", a->triangle_count, b->triangle_count);
    if (verify->options->damage == DAMAGE_NONE) {
        verify_add(verify, method, "same_mesh_again", "differs when run again", 0, apart);
    }
    verify_found_destroy(&again);
    return true;
}

// ---- the stream of all cells, compacted on the CPU ----

struct verify_block {
    uint32_t *words, *out, *removals;
    uint8_t *scratch;
};

static void verify_block_destroy(struct verify_block *block)
{
    free(block->words);
    free(block->out);
    free(block->removals);
    free(block->scratch);
}

static bool verify_block_create(struct verify_block *block, uint32_t count)
{
    const size_t size = count * sizeof(uint32_t);
    *block = (struct verify_block){
        .words = malloc(size),
        .out = malloc(size),
        .removals = malloc(size),
        .scratch = malloc(count),
    };
    return block->words && block->out && block->removals && block->scratch;
}

// Makes the words of `count` cells from cell `first` on. `active`: the `left` active cells from
// `first` on. Returns how many active cells are among the `count` cells.
static uint64_t verify_block_fill(
    struct verify_block *block, uint64_t first, uint32_t count, const uint64_t *active,
    uint64_t left, bool by_list, uint32_t *removal_count)
{
    uint64_t met = 0;
    *removal_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool stays = met < left && active[met] == first + i;
        met += stays;
        block->words[i] = i | (stays || by_list ? 0 : WORD_INVALID);
        if (!stays && by_list) {
            block->removals[(*removal_count)++] = i;
        }
    }
    return met;
}

// Grows the capacity, *room, for `more` cells. False: out of memory.
static bool verify_reserve(struct cell_list *list, uint64_t *room, uint64_t more)
{
    if (list->cells && list->count + more <= *room) {
        return true;
    }
    const uint64_t wanted = (list->count + more) * 3 / 2 + 1;
    uint64_t *cells = realloc(list->cells, wanted * sizeof *cells);
    if (!cells) {
        return false;
    }
    list->cells = cells;
    *room = wanted;
    return true;
}

// Compacts the stream of all cells by method->cpu on `threads` threads (0: all cores). `dim` is the
// size of the volume in samples. `active`, ascending, has the cells to keep. Each block of 4 Mi
// cells is a separate stream, because a word counts only 31 bits, and to save memory. The caller
// destroys `out`. On false, out of memory, `out` is empty.
static bool verify_cells_by_cpu(
    const struct method *method, const uint32_t dim[3], const struct cell_list *active,
    uint32_t threads, struct cell_list *out, struct problem *problem)
{
    const uint64_t all = (uint64_t)(dim[0] - 1) * (dim[1] - 1) * (dim[2] - 1);
    struct verify_block block;
    uint64_t room = 0, at = 0;
    *out = (struct cell_list){ 0 };
    bool fine = verify_block_create(&block, all < CELLS_BLOCK ? (uint32_t)all : CELLS_BLOCK);
    for (uint64_t first = 0; fine && first < all; first += CELLS_BLOCK) {
        const uint32_t count = all - first < CELLS_BLOCK ? (uint32_t)(all - first) : CELLS_BLOCK;
        struct cpu_run run = {
            .in = block.words,
            .out = method->in_place ? block.words : block.out,
            .count = count,
            .removals = block.removals,
            .scratch = block.scratch,
            .threads = threads,
        };
        at += verify_block_fill(
            &block, first, count, active->cells + at, active->count - at, method->removes,
            &run.removal_count);
        const uint32_t kept = method->cpu(&run);
        fine = verify_reserve(out, &room, kept);
        for (uint32_t i = 0; fine && i < kept; i++) {
            out->cells[out->count++] = first + run.out[i];
        }
    }
    verify_block_destroy(&block);
    if (!fine) {
        cell_list_destroy(out);
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the stream of cells");
    }
    return true;
}

// Checks compaction alone: compacts the stream of all cells and compares with the active cells of
// the reference.
static bool
verify_check_cpu(struct verify *verify, const struct method *method, struct problem *problem)
{
    const uint32_t *dim = verify->session.volume.dim;
    struct found found = { 0 };
    struct cell_list again = { 0 };
    const enum damage kind = verify->options->damage;
    bool fine = verify_cells_by_cpu(method, dim, &verify->cells, 0, &found.cells, problem) &&
                verify_cells_by_cpu(method, dim, &verify->cells, 3, &again, problem);
    if (fine && kind != DAMAGE_NONE && found.cells.count == 0) {
        fine = problem_set(problem, PROBLEM_USAGE, "--break finds no surface to damage");
    } else if (fine && kind == DAMAGE_DROP_CELL) {
        verify_drop_cell(&found.cells);
    } else if (fine && kind != DAMAGE_NONE && verify->options->plan.method_count > 0) {
        fine = problem_set(
            problem, PROBLEM_USAGE,
            "--break cannot damage a mesh here: %s makes only a list of cells", method->name);
    }
    fine = fine && verify_check_cells(verify, method, &found, problem) && progress_go_on(problem);
    if (fine && method_deterministic(method)) {
        verify_add(
            verify, method, "same_order_again", "moved in a second run", 0,
            verify_out_of_place(&found.cells, &again));
    }
    cell_list_destroy(&again);
    verify_found_destroy(&found);
    return fine;
}

// ---- all methods ----

static bool
verify_check_method(struct verify *verify, const struct method *method, struct problem *problem)
{
    if (method->cpu) {
        return verify_check_cpu(verify, method, problem);
    }
    struct found found;
    if (!verify_make_surface(verify, method, &found, problem)) {
        return false;
    }
    const bool fine =
        verify_damage(verify->options->damage, &found, problem) &&
        verify_check_mesh(verify, method, &found, problem) &&
        (verify->totals.parts > 1 ? verify_check_parts(verify, method, &found, problem)
                                  : verify_check_cells(verify, method, &found, problem) &&
                                        (!method_deterministic(method) ||
                                         verify_check_again(verify, method, &found, problem))) &&
        progress_go_on(problem);
    verify_found_destroy(&found);
    return fine;
}

// Why this run leaves a method out; NULL: it is checked.
static const char *verify_skipped(const struct verify *verify, const struct method *method)
{
    return verify->options->plan.method_count > 0 || method->cpu
               ? NULL
               : parts_refuse(verify->session.parts, method);
}

// Checks the methods of --method, or all of them, at the isovalue of the query.
static bool verify_check_all(struct verify *verify, struct problem *problem)
{
    struct session *session = &verify->session;
    const double start = clock_ms();
    if (!reference_extract(
            &session->volume, verify->query.iso, &verify->cells, &verify->mesh, problem) ||
        !mesh_facts(&verify->mesh, session->volume.dim, &verify->facts, problem) ||
        !progress_go_on(problem)) {
        return false;
    }
    if (verify->options->verbose) {
        fprintf(stderr, "cubist: reference extraction in %.0f ms\n", clock_ms() - start);
    }
    const struct plan *plan = &verify->options->plan;
    bool fine = true;
    for (uint32_t i = 0; fine && i < plan->method_count; i++) {
        const struct method *method = plan->methods[i];
        fine = (method->cpu || session_method(session, method, &method, problem)) &&
               verify_check_method(verify, method, problem);
    }
    for (uint32_t i = 0; fine && plan->method_count == 0 && i < method_count(); i++) {
        fine = verify_skipped(verify, method_at(i)) ||
               verify_check_method(verify, method_at(i), problem);
    }
    return fine;
}

static void verify_json(struct verify *verify)
{
    json_t *json = checks_report(
        &verify->checks, &verify->session, verify->query.iso, verify->options->iso_count > 1);
    if (verify->session.reports_parts) {
        json_t *parts = json_add_object(json, "slabs");
        json_add_count(parts, "count", verify->totals.parts);
        json_add_count(parts, "resident", verify->totals.resident);
        json_add_count(parts, "loaded", verify->totals.loaded);
        json_add_count(parts, "missed", verify->totals.missed);
    } else {
        json_add_null(json, "slabs");
    }
    checks_json(&verify->checks, "method", json);
    json_t *left_out = json_add_array(json, "skipped");
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (verify_skipped(verify, method)) {
            json_t *row = json_add_object(left_out, NULL);
            json_add_text(row, "method", method->name);
            json_add_text(row, "reason", verify_skipped(verify, method));
        }
    }
}

// With --quiet it prints only the checks that failed.
static void verify_print_text(const struct verify *verify)
{
    const bool quiet = verify->options->quiet;
    checks_text(&verify->checks, quiet);
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        if (!quiet && verify_skipped(verify, method)) {
            printf("skip  %-18s%s\n", method->name, verify_skipped(verify, method));
        }
    }
}

// Checks and reports isovalue `which` of --iso.
static bool verify_isovalue(struct verify *verify, uint32_t which, struct problem *problem)
{
    const struct options *options = verify->options;
    verify->query = (struct query){
        .iso = session_iso(&verify->session, &options->isos[which]),
        .every_brick = options->view.every_brick,
        .mesh = true,
    };
    const double iso = verify->query.iso;
    const bool fine = verify_check_all(verify, problem) ||
                      session_contour_failed(iso, which, options->iso_count, problem);
    if (fine && options->json) {
        verify_json(verify);
    } else if (fine) {
        verify_print_text(verify);
    }
    if (fine) {
        char text[32];
        checks_end(&verify->checks, "surface", number_text(iso, text), "", !options->json);
    }
    cell_list_destroy(&verify->cells);
    mesh_destroy(&verify->mesh);
    return fine;
}

// The samples are in host memory, because the reference needs them.
static bool verify_open_parts(struct verify *verify, struct problem *problem)
{
    struct session *session = &verify->session;
    const struct options *options = verify->options;
    session->reports_parts = options->memory_budget;
    session->done = session->reports_parts ? NULL : "checked";
    struct parts_params params = session_parts_params(session, options);
    params.residents = 0;
    params.method = options->method && !options->method->cpu ? options->method : NULL;
    return session_parts(session, options, &params, problem);
}

// Refuses options that are only for the other kind of check: of triangles, or of rays.
static bool verify_takes(const struct options *options, struct problem *problem)
{
    static const char *const of_triangles[] = { "no-skip", NULL };
    static const char *const of_rays[] = { "caster",  "rounds", "size",     "view",
                                           "up",      "zoom",   "camera",   "ortho",
                                           "opacity", "clip",   "clip-all", NULL };
    const bool rays = options->view.draw == DRAW_RAYS;
    const char *const *other = rays ? of_triangles : of_rays;
    while (*other && !option_given(options, *other)) {
        other++;
    }
    if (*other) {
        return problem_set(
            problem, PROBLEM_USAGE, "verify takes --%s only with --draw %s", *other,
            rays ? "triangles" : "rays");
    }
    return options->damage == DAMAGE_NONE || rays == (options->damage >= DAMAGE_HITS) ||
           problem_set(
               problem, PROBLEM_USAGE, "--break finds nothing to damage: that is of --draw %s",
               rays ? "triangles" : "rays");
}

bool command_verify(const struct options *options, struct problem *problem)
{
    if (!verify_takes(options, problem)) {
        return false;
    }
    if (options->view.draw == DRAW_RAYS) {
        return verify_rays(options, problem);
    }
    struct verify *verify = calloc(1, sizeof *verify);
    if (!verify) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory");
    }
    verify->options = options;
    struct session *session = &verify->session;
    bool fine = session_read(session, options->operands[0], options, problem) &&
                session_open(session, options, problem) && verify_open_parts(verify, problem);
    for (uint32_t i = 0; fine && i < options->iso_count; i++) {
        fine = verify_isovalue(verify, i, problem);
    }
    fine = checks_close(&verify->checks, fine, problem);
    fine = session_close(session, fine, problem);
    free(verify);
    return fine;
}
