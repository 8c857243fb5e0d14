#include "volumes/formats/tiff_description.h"

#include "volumes/base/log.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A unit of length is mantissa * 10^exponent metres.
struct tiff_unit {
    const char *names; // names of the unit, each between blanks; µ is written u, and Å is written
                       // Angstrom
    double mantissa;
    int exponent;
};

static const struct tiff_unit units[] = {
    { " km kilometer kilometers kilometre kilometres ", 1, 3 },
    { " m meter meters metre metres ", 1, 0 },
    { " dm ", 1, -1 },
    { " cm centimeter centimeters centimetre centimetres ", 1, -2 },
    { " mm millimeter millimeters millimetre millimetres ", 1, -3 },
    { " um micron microns micrometer micrometers micrometre micrometres ", 1, -6 },
    { " nm nanometer nanometers nanometre nanometres ", 1, -9 },
    { " Angstrom Angstroms A ", 1, -10 },
    { " pm picometer picometers picometre picometres ", 1, -12 },
    { " fm ", 1, -15 },
    { " in inch inches \" ", 254, -4 },
    { " thou mil ", 254, -7 },
    { " ft foot feet ", 3048, -4 },
};

// The code point at `at`, and its length in *length. ImageJ writes µ as \u00B5, XML may write it as
// &#181; or &#xB5;, and old files have the one byte of Latin-1.
static unsigned tiff_description_letter(const char *at, size_t *length)
{
    const unsigned char *bytes = (const unsigned char *)at;
    unsigned code = 0;
    int used = 0;
    if ((sscanf(at, "\\u%4x%n", &code, &used) == 1 && used == 6) ||
        (sscanf(at, "&#x%4x;%n", &code, &used) == 1 && used > 0) ||
        (sscanf(at, "&#%5u;%n", &code, &used) == 1 && used > 0)) {
        *length = (size_t)used;
        return code;
    }
    if ((bytes[0] & 0xe0) == 0xc0 && (bytes[1] & 0xc0) == 0x80) {
        *length = 2;
        return (bytes[0] & 31u) << 6 | (bytes[1] & 63u);
    }
    if ((bytes[0] & 0xf0) == 0xe0 && (bytes[1] & 0xc0) == 0x80 && (bytes[2] & 0xc0) == 0x80) {
        *length = 3;
        return (bytes[0] & 15u) << 12 | (bytes[1] & 63u) << 6 | (bytes[2] & 63u);
    }
    *length = 1;
    return bytes[0];
}

// The unit of this name; NULL where it is not a length.
static const struct tiff_unit *tiff_description_unit(const char *name)
{
    char word[40] = " ";
    size_t size = 1, letters = 0, length;
    for (; *name && size + sizeof "Angstrom " < sizeof word; name += length, letters++) {
        const unsigned code = tiff_description_letter(name, &length);
        if (code == 0xc5 || code == 0x212b) { // Å as a letter, or the Angstrom sign
            size += (size_t)snprintf(word + size, sizeof word - size, "Angstrom");
        } else {
            const bool micro =
                code == 0xb5 || code == 0x3bc; // the micro sign, or the Greek letter mu
            word[size++] = micro ? 'u' : code > 0 && code < 128 ? (char)code : '?';
        }
    }
    word[size++] = ' ';
    word[size] = 0;
    for (size_t i = 0; !*name && letters > 0 && i < sizeof units / sizeof *units; i++) {
        // "Mm" is not "mm", but "Micron" is "micron".
        if ((letters > 2 ? strcasestr : strstr)(units[i].names, word)) {
            return &units[i];
        }
    }
    return NULL;
}

// Fills out->unit, unit_of_x and odd_units from the names of the three axes' units.
static void tiff_description_compare_units(char names[3][40], struct tiff_description *out)
{
    const struct tiff_unit *base = tiff_description_unit(names[0]);
    for (int i = 1; i < 3; i++) {
        const struct tiff_unit *unit = tiff_description_unit(names[i]);
        if (strcmp(names[i], names[0]) == 0) {
            continue;
        }
        if (unit && base) {
            const int tens = unit->exponent - base->exponent;
            out->unit[i].times = unit->mantissa * pow(10, tens > 0 ? tens : 0);
            out->unit[i].over = base->mantissa * pow(10, tens < 0 ? -tens : 0);
        } else if (!out->odd_units[0]) {
            snprintf(
                out->odd_units, sizeof out->odd_units, "x is in '%s' and %c in '%s'", names[0],
                "xyz"[i], names[i]);
        }
    }
    if (base && !out->odd_units[0]) {
        sscanf(base->names, "%11s", out->unit_of_x);
    }
}

static uint32_t tiff_description_count(const char *number)
{
    const double value = strtod(number, NULL);
    return !(value > 0) ? 0 : value <= TIFF_MOST_PAGES ? (uint32_t)value : TIFF_MOST_PAGES + 1;
}

static double tiff_description_distance(const char *number)
{
    const double value = fabs(strtod(number, NULL)); // negative where ImageJ stacks downwards
    return isfinite(value) ? value : 0;
}

// Copies ImageJ's value of `key` without the blanks around it; empty where there is none.
static void tiff_imagej_value(const char *text, const char *key, char *out, size_t size)
{
    char line[40];
    snprintf(line, sizeof line, "\n%s=", key);
    const char *at = strstr(text, line);
    at = at ? at + strlen(line) : "";
    at += strspn(at, " \t");
    size_t length = strcspn(at, "\r\n");
    while (length > 0 && isspace((unsigned char)at[length - 1])) {
        length--;
    }
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), at);
}

static void tiff_imagej_describe(const char *text, struct tiff_description *out)
{
    static const char *const keys[] = { "images", "channels", "slices", "frames" };
    static const char *const axes[] = { "unit", "yunit", "zunit" };
    uint32_t *const counts[] = { &out->images, &out->channels, &out->slices, &out->frames };
    char value[40], names[3][40];
    for (int i = 0; i < 4; i++) {
        tiff_imagej_value(text, keys[i], value, sizeof value);
        *counts[i] = tiff_description_count(value);
    }
    tiff_imagej_value(text, "spacing", value, sizeof value);
    out->spacing[2] = tiff_description_distance(value);
    tiff_imagej_value(text, "order", value, sizeof value);
    snprintf(out->order, sizeof out->order, "%.3s", value[0] ? value : "czt");
    for (int i = 0; i < 3; i++) {
        tiff_imagej_value(text, axes[i], names[i], sizeof names[i]);
        if (i > 0 && !names[i][0]) {
            snprintf(names[i], sizeof names[i], "%s", names[0]);
        }
    }
    out->in_pixels = !names[0][0] || strncasecmp(names[0], "pixel", 5) == 0;
    tiff_description_compare_units(names, out);
}

// The next element of this name from `at` on, with any namespace; NULL where there is none.
static const char *tiff_ome_element(const char *at, const char *name)
{
    for (; (at = strstr(at, name)); at++) {
        const char *begin = at - (at[-1] == ':');
        while (begin < at && isalnum((unsigned char)begin[-1])) {
            begin--;
        }
        if (begin[-1] == '<') { // not the end "</a:Name>"
            return at;
        }
    }
    return NULL;
}

// How far the tag goes on from `at`, which may be its begin. A tag that has no end ends at the next
// one: else each tag of a damaged text would be as long as what is left of the text.
static size_t tiff_ome_tag(const char *at)
{
    const size_t begin = *at == '<';
    return begin + strcspn(at + begin, "<>");
}

// The value of an attribute of the element at `tag`, and its length; empty where there is none.
static const char *tiff_ome_find(const char *tag, const char *name, size_t *many)
{
    const size_t length = strlen(name);
    const char *end = tag + tiff_ome_tag(tag);
    *many = 0;
    for (const char *at = tag; (at = memmem(at, (size_t)(end - at), name, length)); at += length) {
        const char *value = at + length + strspn(at + length, " \t\r\n");
        if (!isspace((unsigned char)at[-1]) || *value != '=') {
            continue;
        }
        value += 1 + strspn(value + 1, " \t\r\n");
        const char quotes[] = { *value, 0 };
        if (*value != '"' && *value != '\'') {
            break;
        }
        *many = strcspn(value + 1, quotes);
        return value + 1;
    }
    return "";
}

// Copies the value of an attribute; empty where there is none.
static void tiff_ome_value(const char *tag, const char *name, char *out, size_t size)
{
    size_t many;
    const char *value = tiff_ome_find(tag, name, &many);
    snprintf(out, size, "%.*s", (int)(many < size ? many : size - 1), value);
}

// Replaces the five names that XML gives to characters.
static void tiff_ome_unescape(char *text)
{
    static const char *const names[] = { "&lt;", "&gt;", "&quot;", "&apos;", "&amp;" };
    char *to = text;
    for (int i; *text; to++) {
        for (i = 0; i < 5 && strncmp(text, names[i], strlen(names[i])) != 0; i++) {
        }
        *to = i < 5 ? "<>\"'&"[i] : *text;
        text += i < 5 ? strlen(names[i]) : 1;
    }
    *to = 0;
}

static int tiff_run_by_plane(const void *a, const void *b)
{
    const uint64_t first = ((const struct tiff_run *)a)->first;
    const uint64_t second = ((const struct tiff_run *)b)->first;
    return (first > second) - (first < second);
}

static int tiff_run_by_name(const void *a, const void *b)
{
    return strcmp(((const struct tiff_run *)a)->name, ((const struct tiff_run *)b)->name);
}

static uint32_t tiff_ome_count(const char *tag, const char *name)
{
    char value[40];
    tiff_ome_value(tag, name, value, sizeof value);
    return tiff_description_count(value);
}

// How many pages apart two neighbours are along `axis` ('c', 'z' or 't').
static uint64_t tiff_description_stride(const struct tiff_description *description, char axis)
{
    uint64_t stride = 1;
    for (const char *at = description->order; *at && *at != axis; at++) {
        const uint32_t count = *at == 'c'   ? description->channels
                               : *at == 'z' ? description->slices
                                            : description->frames;
        stride *= count + !count;
    }
    return stride;
}

// The next element TiffData behind *at and before `end`. It may have an
// element UUID, which says in which file the pages are.
static bool tiff_ome_run(
    const char **at, const char *end, const struct tiff_description *said, struct tiff_run *out)
{
    const char *tag = tiff_ome_element(*at + 1, "TiffData");
    if (!tag || tag > end) {
        return false;
    }
    *at = tag;
    *out = (struct tiff_run){ .count = UINT64_MAX, .name = tag, .uuid = tag };
    static const char *const keys[] = { "FirstC", "FirstZ", "FirstT" };
    const uint32_t sizes[] = { said->channels, said->slices, said->frames };
    size_t many;
    bool beyond = false;
    for (int i = 0; i < 3; i++) {
        const uint32_t index = tiff_ome_count(tag, keys[i]);
        beyond |= index > 0 && index >= sizes[i];
        out->first += index * tiff_description_stride(said, "czt"[i]);
    }
    out->page = tiff_ome_count(tag, "IFD");
    tiff_ome_find(tag, "IFD", &many);
    out->paged = many > 0;
    tiff_ome_find(tag, "PlaneCount", &many);
    if (beyond || many > 0) {
        out->count = beyond ? 0 : tiff_ome_count(tag, "PlaneCount");
    } else if (out->paged) {
        out->count = 1;
    }
    // Its own end, or another element.
    const char *next = memmem(tag + 1, (size_t)(end - tag - 1), "TiffData", 8);
    next = next ? next : end;
    const char *uuid = memmem(tag, (size_t)(next - tag), "UUID", 4);
    if (uuid) {
        const char *name = tiff_ome_find(uuid, "FileName", &out->name_length);
        out->name = out->name_length > 0 ? name : tag; // not a constant: see tiff_describe_runs
        uuid += tiff_ome_tag(uuid);
        out->uuid = uuid + (*uuid == '>') + strspn(uuid + (*uuid == '>'), " \t\r\n");
        out->uuid_length = strcspn(out->uuid, "< \t\r\n");
    }
    return true;
}

static const char *tiff_ome_end(const char *pixels)
{
    const char *end = strstr(pixels, "Pixels>");
    return end ? end : strchr(pixels, 0);
}

// Finds whether a page is in another place of the file than the order of dimensions gives, and
// whether there are several files.
static void tiff_ome_look(const char *pixels, struct tiff_description *out)
{
    const char *end = tiff_ome_end(pixels);
    struct tiff_run run, first = { 0 };
    for (const char *at = pixels; tiff_ome_run(&at, end, out, &run); first = run) {
        out->scattered |= run.paged && run.page != run.first;
        out->spread |= first.name && (run.name_length != first.name_length ||
                                      memcmp(run.name, first.name, run.name_length) != 0);
    }
}

// The first element Pixels that names the file of this UUID; else the first of all.
static const char *tiff_ome_pixels(const char *ome, const char *uuid)
{
    const char *first = tiff_ome_element(ome, "Pixels");
    for (const char *at = first, *end; *uuid && at && (end = strstr(at, "Pixels>"));
         at = tiff_ome_element(end + 1, "Pixels")) {
        if (memmem(at, (size_t)(end - at), uuid, strlen(uuid))) {
            return at;
        }
    }
    return first;
}

static void tiff_ome_describe(const char *pixels, struct tiff_description *out)
{
    char value[40], names[3][40];
    out->channels = tiff_ome_count(pixels, "SizeC");
    out->slices = tiff_ome_count(pixels, "SizeZ");
    out->frames = tiff_ome_count(pixels, "SizeT");
    tiff_ome_value(pixels, "DimensionOrder", value, sizeof value);
    if (strncasecmp(value, "XY", 2) == 0) {
        snprintf(out->order, sizeof out->order, "%.3s", value + 2);
    }
    for (int i = 0; i < 3; i++) {
        char name[] = "PhysicalSize?Unit";
        name[12] = "XYZ"[i];
        tiff_ome_value(pixels, name, names[i], sizeof names[i]);
        name[13] = 0;
        tiff_ome_value(pixels, name, value, sizeof value);
        out->spacing[i] = tiff_description_distance(value);
        if (out->spacing[i] == 0 && i > 0) {
            memcpy(names[i], names[0], sizeof names[i]);
        } else if (!names[i][0]) {
            snprintf(names[i], sizeof names[i], "um"); // the schema's default
        }
    }
    tiff_description_compare_units(names, out);
}

const char *tiff_describe(const char *text, const char *uuid, struct tiff_description *out)
{
    *out = (struct tiff_description){ .unit = { { 1, 1 }, { 1, 1 }, { 1, 1 } } };
    const char *ome = text ? strstr(text, "<OME") : NULL, *pixels = NULL;
    if (text && strncmp(text, "ImageJ=", 7) == 0) {
        out->imagej = true;
        tiff_imagej_describe(text, out);
    } else if (ome) {
        out->ome = true;
        tiff_ome_value(ome, "UUID", out->uuid, sizeof out->uuid);
        pixels = tiff_ome_pixels(ome, uuid ? uuid : out->uuid);
        const char *other = pixels ? NULL : tiff_ome_element(ome, "BinaryOnly");
        if (other) {
            tiff_ome_value(other, "MetadataFile", out->metadata, sizeof out->metadata);
            tiff_ome_unescape(out->metadata);
            tiff_ome_value(other, "UUID", out->metadata_uuid, sizeof out->metadata_uuid);
        } else if (pixels) {
            tiff_ome_describe(pixels, out);
        }
    }
    for (char *letter = out->order; *letter; letter++) {
        *letter = (char)tolower((unsigned char)*letter);
    }
    if (pixels) {
        tiff_ome_look(pixels, out);
    }
    return pixels;
}

struct tiff_run *
tiff_describe_runs(char *text, const char *uuid, struct tiff_description *out, size_t *count)
{
    const char *pixels = tiff_describe(text, uuid, out);
    const char *end = pixels ? tiff_ome_end(pixels) : NULL;
    struct tiff_run run;
    size_t all = 0;
    for (const char *at = pixels; at && tiff_ome_run(&at, end, out, &run);) {
        all++;
    }
    struct tiff_run *runs = calloc(all + 1, sizeof *runs);
    *count = 0;
    for (const char *at = pixels; runs && at && tiff_ome_run(&at, end, out, &runs[*count]);) {
        *count += runs[*count].count > 0;
    }
    for (size_t i = 0; i < *count; i++) {
        text[runs[i].name - text + (ptrdiff_t)runs[i].name_length] = 0;
        text[runs[i].uuid - text + (ptrdiff_t)runs[i].uuid_length] = 0;
        tiff_ome_unescape(text + (runs[i].name - text));
    }
    if (runs) {
        qsort(runs, *count, sizeof *runs, tiff_run_by_plane);
    }
    for (size_t i = 0; i + 1 < *count; i++) {
        const uint64_t most = runs[i + 1].first - runs[i].first;
        runs[i].count = runs[i].count < most ? runs[i].count : most;
    }
    if (runs) {
        qsort(runs, *count, sizeof *runs, tiff_run_by_name);
    }
    return runs;
}

bool tiff_describe_slices(
    const struct tiff_description *description, const char *path, uint64_t images,
    const struct pick *pick, struct contents *contents, struct tiff_pages *out,
    struct problem *problem)
{
    const uint32_t channels = description->channels + !description->channels;
    const uint32_t frames = description->frames + !description->frames;
    const uint32_t depth = description->slices + !description->slices;
    const char *order = description->order;
    const bool whole = (uint64_t)channels * frames * depth == images;
    *out = (struct tiff_pages){ .step = 1, .count = (uint32_t)images };
    if (whole && description->scattered && !description->spread) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': by its elements TiffData the pages are not in the order that it states; save "
            "one "
            "channel of one time step as a stack (Fiji, or bftools' bfconvert)",
            path);
    }
    if (channels == 1 && frames == 1) {
        if (!whole && description->slices > 0) {
            log_warn(
                "'%s' says that it has %u slices, but it has %u pages; all its pages are read as "
                "one volume",
                path, depth, (uint32_t)images);
        }
        return true;
    }
    if (!whole) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' says that it has %u channels, %u slices and %u time steps in %u pages; save one "
            "channel of one time step as a stack (Fiji, or bftools' bfconvert)",
            path, channels, depth, frames, (uint32_t)images);
    }
    if (strlen(order) != 3 || !strchr(order, 'c') || !strchr(order, 'z') || !strchr(order, 't')) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' has %u channels, %u slices and %u time steps, but does not say in which order; "
            "expected one such as 'czt', it says '%s'",
            path, channels, depth, frames, order);
    }
    uint64_t channel, frame;
    if (!contents_choose(contents, CONTENTS_CHANNEL, channels, pick, path, &channel, problem) ||
        !contents_choose(contents, CONTENTS_TIME, frames, pick, path, &frame, problem)) {
        return false;
    }
    out->first =
        (channel * tiff_description_stride(description, 'c') +
         frame * tiff_description_stride(description, 't'));
    out->step = tiff_description_stride(description, 'z');
    out->count = depth;
    return true;
}
