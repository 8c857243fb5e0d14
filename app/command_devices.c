#include "app/json.h"
#include "app/session.h"

#include <stdio.h>
#include <stdlib.h>

static void print_json(const struct gpu_row *rows, uint32_t count)
{
    struct json json;
    json_begin(&json, stdout);
    json_array(&json, "devices");
    for (uint32_t i = 0; i < count; i++) {
        json_object(&json, NULL);
        json_count(&json, "index", rows[i].index);
        json_text(&json, "name", rows[i].name);
        json_text(&json, "type", rows[i].type);
        json_text(&json, "driver", rows[i].driver);
        json_bool(&json, "usable", rows[i].usable);
        json_text(&json, "reason", rows[i].usable ? NULL : rows[i].reason);
        json_end(&json);
    }
    json_end(&json);
    json_finish(&json);
}

static void print_text(const struct gpu_row *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        printf("%u  %s  (%s, %s)\n", rows[i].index, rows[i].name, rows[i].type, rows[i].driver);
        if (!rows[i].usable) {
            printf("   cannot be used: %s\n", rows[i].reason);
        }
    }
}

static bool list(const struct options *options, struct problem *problem)
{
    struct gpu_row *rows = NULL;
    uint32_t count = 0;
    if (!gpu_list(&rows, &count, problem)) {
        return false;
    }
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        any |= rows[i].usable;
    }
    if (options->json) {
        print_json(rows, count);
    } else {
        print_text(rows, count);
    }
    free(rows);
    return any || problem_set(
                      problem, PROBLEM_DEVICE,
                      count > 0 ? "no device here can run cubist"
                                : "no Vulkan device found: install a driver for your GPU, or "
                                  "mesa-vulkan-drivers to run on the CPU");
}

bool command_devices(const struct options *options, struct problem *problem)
{
    // With these the question is also whether the device can be opened.
    struct session session = { 0 };
    const bool opened =
        !(options->device || options->validate) || session_open(&session, options, problem);
    return session_close(&session, opened, problem) && list(options, problem);
}
