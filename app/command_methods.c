#include "app/json.h"
#include "app/session.h"

#include <assert.h>
#include <stdio.h>

#define METHODS 32

static void print_json(const char *const *reasons)
{
    struct json json;
    json_begin(&json, stdout);
    json_array(&json, "methods");
    for (uint32_t i = 0; i < method_count(); i++) {
        const struct method *method = &methods[i];
        json_object(&json, NULL);
        json_text(&json, "name", method->name);
        json_text(&json, "summary", method->summary);
        json_text(&json, "paper", method->paper);
        json_bool(&json, "stable", method_stable(method));
        json_bool(&json, "deterministic", method_deterministic(method));
        json_bool(&json, "default", method == method_default());
        json_bool(&json, "available", !reasons[i]);
        json_text(&json, "reason", reasons[i]);
        json_end(&json);
    }
    json_end(&json);
    json_finish(&json);
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
    if (options->json) {
        print_json(reasons);
    } else {
        print_text(reasons);
    }
    return session_close(&session, true, problem);
}
