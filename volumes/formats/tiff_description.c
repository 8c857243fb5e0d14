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
    while ((at = strstr(at, name)) && at[-1] != '<' && at[-1] != ':') {
        at++;
    }
    return at;
}

// Copies the value of an attribute of the element at `tag`; empty where there is none.
static void tiff_ome_value(const char *tag, const char *name, char *out, size_t size)
{
    const size_t length = strlen(name);
    const char *end = tag + strcspn(tag, ">");
    out[0] = 0;
    for (const char *at = tag; (at = memmem(at, (size_t)(end - at), name, length)); at += length) {
        const char *value = at + length + strspn(at + length, " \t\r\n");
        if (!isspace((unsigned char)at[-1]) || *value != '=') {
            continue;
        }
        value += 1 + strspn(value + 1, " \t\r\n");
        const char quotes[] = { *value, 0 };
        if (*value == '"' || *value == '\'') {
            const size_t many = strcspn(value + 1, quotes);
            snprintf(out, size, "%.*s", (int)(many < size ? many : size - 1), value + 1);
        }
        return;
    }
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

// Whether a TiffData element states another first page than the order of dimensions gives.
static bool tiff_ome_is_scattered(const char *pixels, const struct tiff_description *description)
{
    const char *end = strstr(pixels, "Pixels>");
    for (const char *at = pixels; (at = tiff_ome_element(at, "TiffData")) && !(end && at > end);
         at++) {
        const uint64_t due =
            tiff_ome_count(at, "FirstC") * tiff_description_stride(description, 'c') +
            tiff_ome_count(at, "FirstZ") * tiff_description_stride(description, 'z') +
            tiff_ome_count(at, "FirstT") * tiff_description_stride(description, 't');
        char page[40];
        tiff_ome_value(at, "IFD", page, sizeof page);
        if (page[0] && tiff_description_count(page) != due) {
            return true;
        }
    }
    return false;
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

void tiff_describe(const char *text, struct tiff_description *out)
{
    *out = (struct tiff_description){ .unit = { { 1, 1 }, { 1, 1 }, { 1, 1 } } };
    const char *ome = text ? strstr(text, "<OME") : NULL;
    const char *pixels = ome ? tiff_ome_element(ome, "Pixels") : NULL;
    if (text && strncmp(text, "ImageJ=", 7) == 0) {
        out->imagej = true;
        tiff_imagej_describe(text, out);
    } else if (ome) {
        out->ome = true;
        if (pixels) {
            tiff_ome_describe(pixels, out);
        }
    }
    for (char *letter = out->order; *letter; letter++) {
        *letter = (char)tolower((unsigned char)*letter);
    }
    if (pixels && out->ome) {
        out->scattered = tiff_ome_is_scattered(pixels, out);
    }
}

bool tiff_describe_slices(
    const struct tiff_description *description, const char *path, uint32_t images,
    const struct pick *pick, struct contents *contents, struct tiff_pages *out,
    struct problem *problem)
{
    const uint32_t channels = description->channels + !description->channels;
    const uint32_t frames = description->frames + !description->frames;
    const uint32_t depth = description->slices + !description->slices;
    const char *order = description->order;
    const bool whole = (uint64_t)channels * frames * depth == images;
    *out = (struct tiff_pages){ .step = 1, .count = images };
    if (whole && description->scattered) {
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
                path, depth, images);
        }
        return true;
    }
    if (!whole) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' says that it has %u channels, %u slices and %u time steps in %u pages; save one "
            "channel of one time step as a stack (Fiji, or bftools' bfconvert)",
            path, channels, depth, frames, images);
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
        (uint32_t)(channel * tiff_description_stride(description, 'c') + frame * tiff_description_stride(description, 't'));
    out->step = (uint32_t)tiff_description_stride(description, 'z');
    out->count = depth;
    return true;
}
