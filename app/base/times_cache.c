#include "app/base/times_cache.h"

#include "app/base/cache.h"
#include "app/base/json.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const json_int_t SCHEMA = 1;
static const off_t LARGEST = 4 << 20; // the largest file that cubist can have written, in bytes
enum { POINTS = TIMES_LANES * TIMES_SIZES * TIMES_DENSITIES * TIMES_PATTERNS };

// The times depend on these, as text.
struct origin {
    char uuid[CACHE_UUID], driver[300], kernels[20];
};

static void times_cache_origin_of(const struct gpu *gpu, struct origin *out)
{
    cache_uuid(gpu->device_uuid, out->uuid);
    snprintf(
        out->driver, sizeof out->driver, "%s (%u)", gpu->driver, gpu->properties.driverVersion);
    snprintf(out->kernels, sizeof out->kernels, "%016" PRIx64, times_kernels());
}

// ---- reading ----

// Reads the times into `out` and returns NULL, or returns why they cannot be used.
static const char *
times_cache_read_times(const json_t *json, const struct origin *origin, struct times *out)
{
    if (json_integer_value(json_object_get(json, "schema")) != SCHEMA) {
        return "it is not in this cubist's format";
    }
    const struct {
        const char *key, *expected, *why;
    } wants[] = {
        { "program", CUBIST_VERSION, "it was measured by another version of cubist" },
        { "uuid", origin->uuid, "it was measured on another device" },
        { "driver", origin->driver, "it was measured with another driver" },
        { "kernels", origin->kernels, "it was measured with other kernels" },
    };
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        const char *found = json_string_value(json_object_get(json, wants[i].key));
        if (!found || strcmp(found, wants[i].expected) != 0) {
            return wants[i].why;
        }
    }
    const json_t *rows = json_object_get(json, "ms");
    bool any = false;
    for (uint32_t row = 0; row < method_count(); row++) {
        const json_t *points = json_object_get(rows, method_at(row)->name);
        if (!points) {
            continue; // the method cannot run here
        }
        if (json_array_size(points) != POINTS) {
            return "its number of times is wrong";
        }
        float *to = &out->ms[row][0][0][0][0];
        for (size_t i = 0; i < POINTS; i++) {
            const json_t *point = json_array_get(points, i);
            const double ms = json_number_value(point);
            if (!json_is_number(point) || !(ms >= 0 && ms < 1e9)) {
                return "it has a value that is not a time";
            }
            to[i] = (float)ms;
            any |= ms > 0;
        }
    }
    return any ? NULL : "there are no times in it";
}

// The file's text as JSON. NULL with the reason in *why, or without a reason where there is no
// file.
static json_t *times_cache_read_file(const char *path, const char **why)
{
    off_t size;
    FILE *file = cache_open(path, LARGEST, &size, why);
    if (!file) {
        return NULL;
    }
    json_t *json = json_loadf(file, JSON_REJECT_DUPLICATES, NULL);
    fclose(file);
    *why = json ? NULL : "it is damaged";
    return json;
}

bool times_cache_load(const struct gpu *gpu, struct times *out)
{
    *out = (struct times){ 0 };
    struct origin origin;
    times_cache_origin_of(gpu, &origin);
    char *path = cache_path(gpu, "methods", "json");
    const char *why = NULL;
    json_t *json = path ? times_cache_read_file(path, &why) : NULL;
    if (json) {
        why = times_cache_read_times(json, &origin, out);
    }
    if (why) {
        log_note("%s is not used: %s; cubist bench calibrate measures the methods anew", path, why);
        *out = (struct times){ 0 };
    }
    json_decref(json);
    free(path);
    return json && !why;
}

// ---- writing ----

static json_t *
times_cache_json_of(const struct gpu *gpu, const struct origin *origin, const struct times *times)
{
    json_t *json = json_begin();
    json_add_integer(json, "schema", SCHEMA);
    json_add_text(json, "program", CUBIST_VERSION);
    json_add_text(json, "device", gpu->properties.deviceName);
    json_add_text(json, "uuid", origin->uuid);
    json_add_text(json, "driver", origin->driver);
    json_add_text(json, "kernels", origin->kernels);
    json_t *rows = json_add_object(json, "ms");
    for (uint32_t row = 0; row < method_count(); row++) {
        const float *from = &times->ms[row][0][0][0][0];
        double points[POINTS];
        bool any = false;
        for (size_t i = 0; i < POINTS; i++) {
            points[i] = round(from[i] * 1e6) / 1e6; // to the nanosecond
            any |= from[i] > 0;
        }
        if (any) {
            json_add_numbers(rows, method_at(row)->name, points, POINTS);
        }
    }
    return json;
}

static bool times_cache_write_file(char *path, json_t *json, struct problem *problem)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) {
        json_decref(json);
        return problem_set(problem, PROBLEM_OUTPUT, "out of memory");
    }
    bool fine = json_finish_line(json, memory, problem);
    fine = fclose(memory) == 0 && fine;
    fine = fine && cache_write(path, text, size, problem);
    free(text);
    return fine;
}

char *times_cache_save(const struct gpu *gpu, const struct times *times)
{
    struct origin origin;
    times_cache_origin_of(gpu, &origin);
    struct problem problem = { .text = "neither XDG_CACHE_HOME nor HOME names a folder" };
    char *path = cache_path(gpu, "methods", "json");
    const bool fine =
        path && times_cache_write_file(path, times_cache_json_of(gpu, &origin, times), &problem);
    if (!fine) {
        log_note("the times could not be saved: %s", problem.text);
        free(path);
        path = NULL;
    }
    return path;
}
