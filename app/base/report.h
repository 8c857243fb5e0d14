// Texts of reports, lists and notes about a volume, its parts, a device or a method.
#pragma once

#include "app/base/json.h"
#include "compute/extraction/extraction.h"
#include "compute/extraction/parts_plan.h"

#include <stdio.h>

// ---- The methods that compacted the streams (bricks, cells) of a step.

// The methods as text: "bricks by NAME, cells by NAME".
#define CHOICES_TEXT 120
const char *choices_text(const struct extraction_result *result, char text[CHOICES_TEXT]);

// Prints why the methods were selected, if they were: a line each, after `indent` spaces.
void choices_print_why(const struct extraction_result *result, int indent, FILE *file);

// Adds members to the object: the methods, and the reasons (null where no method was selected).
void choices_json(const struct extraction_result *result, json_t *json);

// ---- What a compaction method promises.

// One word for the order of the kept elements: "stable", "fixed", "blocks" or "differs".
const char *promises_order(const struct method *method);

// Lines of text. They explain the columns of the list of methods and the words of promises_order.
extern const char promises_columns[];

// Where the method runs: "device" or "CPU".
const char *promises_place(const struct method *method);

// All promises as text, such as "stable; in place; at most 1000 elements".
struct promises {
    char text[256];
};
struct promises promises_of(const struct method *method);

// ---- What the device's memory was used for at its peak.

// Adds the member "device_memory": bytes by purpose, which add up to the member "device_bytes".
void device_memory_json(const struct gpu *gpu, json_t *json);
// The peak as text: "12.3 MiB: 4.0 samples, 3.1 surface, ...", without purposes of 0 bytes.
#define DEVICE_MEMORY_TEXT 300
const char *device_memory_text(const struct gpu *gpu, char text[DEVICE_MEMORY_TEXT]);

// ---- Notes on standard error about a volume and its device.

// Warns where reading the file needed a guess or lost precision.
void notes_warn(const struct volume *volume);

// For --verbose. `path` NULL: the generated volume. `ms`: milliseconds that this step took.
void notes_volume(const char *path, const struct volume *volume, double ms);
void notes_device(const struct gpu *gpu, double ms);
void notes_atlas(const struct atlas *atlas);
void notes_parts(const struct parts_plan *plan);

// Writes the size of a planned part for people: "3 layers", or, if each layer is divided, "5 rows
// of a layer".
void notes_part_size(const struct parts_plan *plan, char out[40]);
