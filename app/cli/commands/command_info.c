#include "app/base/number.h"
#include "app/base/report.h"
#include "app/cli/volume_ranks.h"
#include "app/extract/extract.h"
#include "app/ranks/ranks.h"
#include "volumes/base/printable.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Names of the patient's coordinate frames; NULL: unknown.
static const char *const frames[] = {
    [VOLUME_FRAME_UNSAID] = NULL,
    [VOLUME_FRAME_LPS] = "LPS",
    [VOLUME_FRAME_RAS] = "RAS",
};

// Lists what the file holds and says which of it is read. Nothing if there is no choice.
static void info_contents_json(const struct contents *contents, json_t *json)
{
    if (contents_plain(contents)) {
        return;
    }
    json_t *object = json_add_object(json, "contents");
    json_t *arrays = json_add_array(object, "arrays");
    for (size_t i = 0; i < contents->count; i++) {
        const struct contents_array *array = &contents->arrays[i];
        json_t *item = json_add_object(arrays, NULL);
        json_add_text(item, "path", array->path[0] ? array->path : NULL);
        json_add_text(item, "type", array->type);
        json_add_count(item, "levels", array->levels);
        json_add_bool(item, "read", i == contents->chosen);
        json_t *axes = json_add_array(item, "axes");
        for (size_t k = 0; k < array->axes; k++) {
            const struct contents_axis *axis = &array->axis[k];
            json_t *of = json_add_object(axes, NULL);
            json_add_text(of, "name", axis->name);
            json_add_count(of, "size", axis->size);
            json_add_number(of, "spacing", axis->spacing > 0 ? axis->spacing : NAN);
            json_add_text(of, "unit", axis->unit[0] ? axis->unit : NULL);
        }
    }
    for (int i = 0; i < CONTENTS_CHOICES; i++) {
        const enum contents_choice choice = (enum contents_choice)i;
        const uint64_t count = contents->choice[i].count;
        json_t *of = json_add_object(object, contents_word(choice));
        json_add_count(of, "count", count + !count);
        json_add_count(of, "read", contents->choice[i].at);
    }
}

static void info_contents_text(const struct contents *contents)
{
    for (size_t i = 0; i < contents->count && !contents_plain(contents); i++) {
        const struct contents_array *array = &contents->arrays[i];
        printf(i == 0 ? "arrays      " : "            ");
        printable_put(array->path, stdout);
        printf(array->path[0] ? "  " : "");
        for (size_t k = 0; k < array->axes; k++) {
            printable_put(array->axis[k].name, stdout);
            printf(" %" PRIu64 "%s", array->axis[k].size, k + 1 < array->axes ? ", " : "  ");
        }
        printable_put(array->type, stdout);
        printf(i == contents->chosen ? "  (read)\n" : "\n");
    }
    for (int i = 0; i < CONTENTS_CHOICES; i++) {
        const uint64_t count = contents->choice[i].count;
        if (count > 1) {
            const char *word = contents_word((enum contents_choice)i);
            printable_put(word, stdout);
            printf(
                "%*s%" PRIu64 " of 0 to %" PRIu64 "\n", 12 - (int)strlen(word), "",
                contents->choice[i].at, count - 1);
        }
    }
}

// `surfaces`: those at the `count` isovalues of --iso; 0 without --iso.
static bool info_print_json(
    const struct session *session, const struct measured *surfaces, uint32_t count,
    struct problem *problem)
{
    const struct volume *volume = &session->volume;
    const struct volume_facts *facts = &session->facts;
    json_t *json = json_begin_report();
    json_add_text(json, "file", session->path);
    json_add_dims(json, "dims", volume->dim);
    json_add_text(json, "type", volume_type_name(volume->file_type));
    json_add_text(json, "sample_type", volume_type_name(volume->type));
    json_add_count(json, "bytes", volume_bytes(volume));
    json_add_numbers(json, "spacing", volume->spacing, 3);
    if (session->contents.unit[0]) {
        json_add_text(json, "unit", session->contents.unit);
    }
    json_add_numbers(json, "origin", volume->origin, 3);
    json_add_numbers(json, "direction", volume->direction, 9);
    json_add_text(json, "frame", frames[volume->frame]);
    info_contents_json(&session->contents, json);
    if (facts->not_finite < volume_count(volume)) {
        json_add_numbers(json, "range", (double[]){ facts->min, facts->max }, 2);
        json_add_number(json, "iso", facts->iso);
    } else {
        json_add_null(json, "range");
        json_add_null(json, "iso");
    }
    json_add_text(json, "iso_rule", facts->iso_rule);
    json_add_count(json, "not_finite", facts->not_finite);
    json_t *histogram = json_add_array(json, "histogram");
    for (int bin = 0; bin < VOLUME_BINS; bin++) {
        json_add_count(histogram, NULL, facts->histogram[bin]);
    }
    if (count > 0) {
        json_t *object = json_add_object(json, "surface");
        json_add_text(object, "device", session->gpu.properties.deviceName);
        measured_json(surfaces, count, object);
        json_add_count(object, "device_bytes", surfaces[count - 1].device_bytes);
        device_memory_json(&session->gpu, object);
    } else {
        json_add_null(json, "surface");
    }
    if (ranks()->count > 1 &&
        !volume_ranks_json(session->volume.dim[2], session->facts_bytes, json, problem)) {
        json_decref(json);
        return false;
    }
    return json_finish(json, stdout, problem);
}

// Prints the histogram in 64 columns. The height of each is the logarithm of its count.
static void info_print_histogram(const struct volume_facts *facts)
{
    static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    uint64_t most = 1, columns[64] = { 0 };
    for (int bin = 0; bin < VOLUME_BINS; bin++) {
        columns[bin / 4] += facts->histogram[bin];
    }
    for (int i = 0; i < 64; i++) {
        most = columns[i] > most ? columns[i] : most;
    }
    int steps = 0; // bits of the largest count, whose column has height 8
    while (most >> steps) {
        steps++;
    }
    printf("histogram   |");
    for (int i = 0; i < 64; i++) {
        int bits = 0;
        while (columns[i] >> bits) {
            bits++;
        }
        fputs(bars[(8 * bits + steps - 1) / steps], stdout);
    }
    printf("|  (log counts)\n");
}

static void info_print_text(const struct session *session)
{
    const struct volume *volume = &session->volume;
    const struct volume_facts *facts = &session->facts;
    char text[9][32];
    printf("file        ");
    printable_put(session->path, stdout);
    putchar('\n');
    printf("dims        %u x %u x %u\n", volume->dim[0], volume->dim[1], volume->dim[2]);
    printf(
        "type        %s%s\n", volume_type_name(volume->file_type),
        volume->file_type == VOLUME_FLOAT64   ? ", rounded to float32"
        : volume->file_type == VOLUME_FLOAT16 ? ", widened to float32"
                                              : "");
    printf("bytes       %s\n", number_thousands(volume_bytes(volume), text[0]));
    for (int i = 0; i < 3; i++) {
        number_text(volume->spacing[i], text[i]);
        number_text(volume->origin[i], text[3 + i]);
    }
    printf(
        "spacing     %s %s %s%s", text[0], text[1], text[2], session->contents.unit[0] ? " " : "");
    printable_put(session->contents.unit, stdout);
    printf("\n");
    printf("origin      %s %s %s\n", text[3], text[4], text[5]);
    for (int i = 0; i < 9; i++) {
        number_text(volume->direction[i], text[i]);
    }
    printf(
        "direction   %s %s %s  %s %s %s  %s %s %s\n", text[0], text[1], text[2], text[3], text[4],
        text[5], text[6], text[7], text[8]);
    if (frames[volume->frame]) {
        printf("frame       %s\n", frames[volume->frame]);
    }
    info_contents_text(&session->contents);
    if (facts->not_finite == volume_count(volume)) {
        printf("range       none: no sample is finite\n");
        return;
    }
    printf(
        "range       %s to %s\n", number_text(facts->min, text[0]),
        number_text(facts->max, text[1]));
    info_print_histogram(facts);
    printf("not finite  %s\n", number_thousands(facts->not_finite, text[0]));
    printf("isovalue    %s  (%s)\n", number_text(facts->iso, text[0]), facts->iso_rule);
}

static void info_print_surface(const struct session *session, const struct measured *surface)
{
    char text[32];
    printf("\nsurface at    %s\n", number_text(surface->result.iso, text));
    printf("device        %s\n", session->gpu.properties.deviceName);
    surface_text(surface, stdout);
    char memory[DEVICE_MEMORY_TEXT];
    printf("device memory %s\n", device_memory_text(&session->gpu, memory));
}

// Only the first rank reports.
static bool info_print(
    const struct session *session, const struct options *options, const struct measured *surfaces,
    struct problem *problem)
{
    const uint32_t count = options->has_iso ? options->iso_count : 0;
    if (ranks()->rank > 0) {
        return !options->json ||
               volume_ranks_json(session->volume.dim[2], session->facts_bytes, NULL, problem);
    }
    if (options->json) {
        return info_print_json(session, surfaces, count, problem);
    }
    info_print_text(session);
    for (uint32_t i = 0; i < count; i++) {
        info_print_surface(session, &surfaces[i]);
    }
    return true;
}

bool command_info(const struct options *options, struct problem *problem)
{
    struct session session = { 0 };
    struct measured surfaces[CONTOURS_MOST] = { 0 };
    if (options->has_iso && ranks()->count > 1) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "info --iso describes a surface in one process: use cubist info, or write the surface "
            "by %d processes with extract",
            ranks()->count);
    }
    bool fine = session_read_facts(&session, options->operands[0], options, problem);
    for (uint32_t i = 0; fine && options->has_iso && i < options->iso_count; i++) {
        fine = extract_facts(&session, options, i, &surfaces[i], problem);
    }
    fine = fine && info_print(&session, options, surfaces, problem);
    return session_close(&session, fine, problem);
}
