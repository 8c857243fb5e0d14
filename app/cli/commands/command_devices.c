#include "app/base/json.h"
#include "app/cli/session.h"

#include <stdio.h>
#include <stdlib.h>

// Adds a list of what the device lacks: with `drawing` for drawing only, else for everything.
static void
devices_add_lacks(json_t *device, const char *key, const struct gpu_row *row, bool drawing)
{
    json_t *list = json_add_array(device, key);
    for (uint32_t i = 0; i < row->lack_count; i++) {
        if (row->lacks[i].to_compute != drawing) {
            json_add_text(list, NULL, row->lacks[i].name);
        }
    }
}

static bool devices_print_json(const struct gpu_row *rows, uint32_t count, struct problem *problem)
{
    json_t *json = json_begin_report();
    json_t *devices = json_add_array(json, "devices");
    for (uint32_t i = 0; i < count; i++) {
        json_t *device = json_add_object(devices, NULL);
        json_add_count(device, "index", rows[i].index);
        json_add_text(device, "name", rows[i].name);
        json_add_text(device, "type", rows[i].type);
        json_add_text(device, "driver", rows[i].driver);
        json_add_bool(device, "usable", rows[i].usable);
        json_add_text(device, "reason", rows[i].usable ? NULL : rows[i].reason);
        devices_add_lacks(device, "lacks", &rows[i], false);
        devices_add_lacks(device, "lacks_for_drawing", &rows[i], true);
    }
    return json_finish(json, stdout, problem);
}

static void devices_print_text(const struct gpu_row *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        printf("%u  %s  (%s, %s)\n", rows[i].index, rows[i].name, rows[i].type, rows[i].driver);
        char drawing[512];
        physical_list_lacks(&rows[i], true, drawing, sizeof drawing);
        if (!rows[i].usable) {
            printf("   cannot be used: %s\n", rows[i].reason);
        } else if (*drawing) {
            printf(
                "   can be used by all commands but render, animate and view: it lacks %s for "
                "drawing\n",
                drawing);
        }
    }
}

static bool devices_list(const struct options *options, struct problem *problem)
{
    struct gpu_row *rows = NULL;
    uint32_t count = 0;
    if (!gpu_list(&rows, &count, problem)) {
        return false;
    }
    bool any = false, fine = true;
    for (uint32_t i = 0; i < count; i++) {
        any |= rows[i].usable;
    }
    if (options->json) {
        fine = devices_print_json(rows, count, problem);
    } else {
        devices_print_text(rows, count);
    }
    free(rows);
    if (!any) {
        fine = problem_set(
            problem, PROBLEM_NO_DEVICE,
            count > 0 ? "no device here can run cubist"
                      : "no Vulkan device found: install a driver for your GPU, or "
                        "mesa-vulkan-drivers to run on the CPU");
    }
    return fine;
}

bool command_devices(const struct options *options, struct problem *problem)
{
    // With --device or --validate the command also checks that the device can be opened.
    struct session session = { 0 };
    const bool opened =
        !(options->device || options->validate) || session_open(&session, options, problem);
    return session_close(&session, opened, problem) && devices_list(options, problem);
}
