#include "app/json.h"
#include "app/session.h"

#include <assert.h>
#include <stdio.h>

#define METHODS 32

static bool print_json(const char *const *reasons, struct problem *problem)
{
    json_t *json = json_begin_report();
    json_t *rows = json_add_array(json, "methods");
    for (uint32_t i = 0; i < method_count(); i++) {
        const struct method *method = &methods[i];
        json_t *row = json_add_object(rows, NULL);
        json_add_text(row, "name", method->name);
        json_add_text(row, "summary", method->summary);
        json_add_text(row, "paper", method->paper);
        json_add_bool(row, "stable", method_stable(method));
        json_add_bool(row, "deterministic", method_deterministic(method));
        json_add_bool(row, "default", method == method_default());
        json_add_bool(row, "available", !reasons[i]);
        json_add_text(row, "reason", reasons[i]);
    }
    return json_finish(json, stdout, problem);
}

static void print_text(const char *const *reasons)
{
    for (uint32_t i = 0; i < method_count(); i++) {
        const struct method *method = &methods[i];
        printf(
            "%-14s%s\n              %s; %s%s\n", method->name, method->summary, method->paper,
            method_stable(method)          ? "stable"
            : method_deterministic(method) ? "always the same order"
                                           : "order differs from run to run",
            method == method_default() ? "; the default" : "");
        if (reasons[i]) {
            printf("              cannot run here: %s\n", reasons[i]);
        }
    }
}

// The list is the program's own; only what can run here needs a device, so no device is an answer
// too, unless one was asked for by name.
bool command_methods(const struct options *options, struct problem *problem)
{
    struct session session = { 0 };
    struct problem refused = { 0 };
    const bool opened = session_open(&session, options, &refused);
    if (!opened && (options->device || refused.code != PROBLEM_DEVICE)) {
        *problem = refused;
        return session_close(&session, false, problem);
    }
    const char *reasons[METHODS] = { 0 };
    assert(method_count() <= METHODS);
    for (uint32_t i = 0; i < method_count(); i++) {
        reasons[i] = opened ? method_unavailable(&methods[i], &session.gpu) : refused.text;
    }
    bool fine = true;
    if (options->json) {
        fine = print_json(reasons, problem);
    } else {
        print_text(reasons);
    }
    return session_close(&session, fine, problem);
}
