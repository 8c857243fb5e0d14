#include "app/words.h"

#include "compute/compaction/compaction.h"
#include "compute/mesh_formats.h"
#include "volumes/generate.h"
#include "volumes/readers.h"
#include "volumes/write.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool say(struct word *out, const char *text, size_t length, const char *summary)
{
    snprintf(out->text, sizeof out->text, "%.*s", (int)length, text);
    out->summary = summary;
    return true;
}

// The index-th part of `text` between any of `gaps`; its length, 0 past the last.
static size_t part(const char **text, const char *gaps, size_t index)
{
    for (*text += strspn(*text, gaps); index > 0 && **text; index--) {
        *text += strcspn(*text, gaps);
        *text += strspn(*text, gaps);
    }
    return strcspn(*text, gaps);
}

bool word_type(size_t index, struct word *out)
{
    if (index >= VOLUME_TYPES) {
        return false;
    }
    const char *name = volume_type_name((enum volume_type)index);
    return say(out, name, strlen(name), NULL);
}

bool word_method(size_t index, struct word *out)
{
    const struct method *row = methods + index;
    return index < method_count() && say(out, row->name, strlen(row->name), row->summary);
}

bool word_generator(size_t index, struct word *out)
{
    const struct generator *row = generators;
    for (; row->name && index > 0; row++, index--) {
    }
    return row->name && say(out, row->name, strlen(row->name), row->summary);
}

static const struct mesh_format *mesh_format_at(size_t index)
{
    const struct mesh_format *row = mesh_formats;
    for (; row->name && index > 0; row++, index--) {
    }
    return row;
}

bool word_mesh_format(size_t index, struct word *out)
{
    const struct mesh_format *row = mesh_format_at(index);
    return row->name && say(out, row->name, strlen(row->name), row->summary);
}

bool word_mesh_extension(size_t index, struct word *out)
{
    const struct mesh_format *row = mesh_format_at(index);
    return row->name && say(out, row->extension, strlen(row->extension), row->summary);
}

static const struct volume_format *volume_format_at(size_t index)
{
    const struct volume_format *row = volume_formats;
    for (; row->name && index > 0; row++, index--) {
    }
    return row;
}

bool word_volume_format(size_t index, struct word *out)
{
    const struct volume_format *row = volume_format_at(index);
    return row->name && say(out, row->name, strlen(row->name), row->summary);
}

bool word_volume_extension(size_t index, struct word *out)
{
    const struct volume_format *row = volume_format_at(index);
    return row->name && say(out, row->extension, strlen(row->extension), row->summary);
}

bool word_raw_extension(size_t index, struct word *out)
{
    return index == 0 && say(out, ".raw", 4, NULL);
}

bool word_png_extension(size_t index, struct word *out)
{
    return index == 0 && say(out, ".png", 4, NULL);
}

bool word_input_extension(size_t index, struct word *out)
{
    // What needs no reader of the table (volumes/read.c).
    static const char *const raw_and_images[] = { ".raw", ".raw.gz", ".png" };
    const size_t own = sizeof raw_and_images / sizeof *raw_and_images;
    if (index < own) {
        return say(out, raw_and_images[index], strlen(raw_and_images[index]), NULL);
    }
    index -= own;
    for (size_t row = 0; row < reader_count; row++) {
        const char *at = readers[row].extensions;
        for (size_t i = 0, length; at = readers[row].extensions, (length = part(&at, " ", i)) > 0;
             i++) {
            if (index-- == 0) {
                return say(out, at, length, readers[row].name);
            }
        }
    }
    return false;
}

bool word_of_value(const char *value, words *more, size_t index, struct word *out)
{
    size_t length;
    for (size_t i = 0; value; i++) {
        const char *at = value;
        length = part(&at, "[|]", i);
        if (length == 0) {
            break;
        }
        size_t small = 0;
        while (small < length && (islower((unsigned char)at[small]) || at[small] == '-')) {
            small++;
        }
        if (small == length && index-- == 0) {
            return say(out, at, length, NULL);
        }
    }
    return more && more(index, out);
}
