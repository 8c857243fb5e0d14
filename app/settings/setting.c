#include "app/settings/setting.h"

#include "app/base/number.h"
#include "compute/casting/casting.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *const setting_needs[SETTING_NEEDS] = { NULL, "--clip", "--section",
                                                   "--section, or --clip with --cap values" };

void *setting_in(const struct setting *setting, struct view *view)
{
    return (char *)view + (setting->place - offsetof(struct settings, view));
}

const void *setting_of(const struct setting *setting, const struct view *view)
{
    return (const char *)view + (setting->place - offsetof(struct settings, view));
}

bool setting_same(const struct setting *setting, const struct view *a, const struct view *b)
{
    return memcmp(setting_of(setting, a), setting_of(setting, b), setting->size) == 0;
}

bool setting_is_set(const struct setting *setting, const struct view *view)
{
    const char *bytes = setting_of(setting, view);
    size_t i = 0;
    while (i < setting->size && bytes[i] == 0) {
        i++;
    }
    return i < setting->size;
}

bool setting_applies(const struct setting *setting, const struct view *view)
{
    const bool cuts = view->clips[0].kind, shows = view->sections[0].kind;
    const bool has[SETTING_NEEDS] = { true, cuts, shows,
                                      shows || (cuts && view->cap == CAP_VALUES) };
    return has[setting->needs];
}

// The index of the name in setting->names; setting->count if it is not there.
static uint32_t setting_name(const struct setting *setting, const char *text)
{
    uint32_t name = 0;
    while (name < setting->count && strcmp(setting->names[name], text) != 0) {
        name++;
    }
    return name;
}

// Parses one of the names, or AZ,EL.
static bool
setting_parse_direction(const struct setting *setting, const char *text, struct view_start *out)
{
    static const double azimuths[] = { 0, 180, -90, 90, 0, 0, 45 }; // of the names
    static const double elevations[] = { 0, 0, 0, 0, 90, -90, 35.264389682754654 };
    const uint32_t name = setting_name(setting, text);
    const char *starts[2];
    size_t lengths[2];
    out->has_direction = true;
    if (name < setting->count) {
        out->azimuth = azimuths[name];
        out->elevation = elevations[name];
        return true;
    }
    return split(text, ',', 2, starts, lengths) == 2 &&
           number_parse(starts[0], lengths[0], &out->azimuth) &&
           number_parse(starts[1], lengths[1], &out->elevation) && fabs(out->elevation) <= 90;
}

// Parses a value for each contour, or one for all.
static bool setting_parse_list(const struct setting *setting, const char *text, struct view *view)
{
    const char *starts[CONTOURS_MOST];
    size_t lengths[CONTOURS_MOST];
    const size_t count = split(text, ',', CONTOURS_MOST, starts, lengths);
    bool fine = count <= CONTOURS_MOST;
    memset(view->hidden, 0, setting->type == SETTING_HIDDEN ? sizeof view->hidden : 0);
    for (size_t i = 0; fine && i < (count == 1 ? CONTOURS_MOST : count); i++) {
        const size_t from = count == 1 ? 0 : i;
        char word[32];
        double number = 0;
        uint64_t contour = 0;
        snprintf(word, sizeof word, "%.*s", (int)lengths[from], starts[from]);
        if (setting->type == SETTING_COLOURS) {
            view->colours[i] = (struct colour){ 0 };
            fine = strcmp(word, "auto") == 0 || colour_parse(word, &view->colours[i]);
        } else if (setting->type == SETTING_OPACITIES) {
            fine = number_parse(word, strlen(word), &number) && number >= 0 && number <= 1;
            view->transparencies[i] = (float)(1 - number);
        } else {
            fine = whole_parse(word, strlen(word), CONTOURS_MOST, &contour) == WHOLE_OK && contour;
            view->hidden[fine ? contour - 1 : 0] |= fine;
        }
    }
    return fine;
}

// Prints what setting_parse_list reads: one value if those of all contours are the same.
static const char *
setting_print_list(const struct setting *setting, const struct view *view, char text[SETTING_TEXT])
{
    const size_t each = setting->size / CONTOURS_MOST;
    const char *values = setting_of(setting, view);
    const size_t further = view->further * each; // bytes of the contours after the first one
    const bool same = memcmp(values, values + each, further) == 0;
    const bool hides = setting->type == SETTING_HIDDEN;
    static const struct colour none[1];
    int length = 0;
    text[0] = 0;
    if (same && memcmp(values, none, each) == 0) { // none differs from the default
        return NULL;
    }
    for (uint32_t i = 0; i < (same && !hides ? 1 : view_contours(view)); i++) {
        char colour[8] = "auto", *end = text + length;
        const size_t left = SETTING_TEXT - (size_t)length;
        const char *comma = length ? "," : "";
        if (setting->type == SETTING_COLOURS) {
            length += snprintf(
                end, left, "%s%s", comma,
                view->colours[i].set ? colour_text(&view->colours[i], colour) : colour);
        } else if (!hides) {
            length += snprintf(end, left, "%s%.6g", comma, 1 - (double)view->transparencies[i]);
        } else if (view->hidden[i]) {
            length += snprintf(end, left, "%s%u", comma, i + 1);
        }
    }
    return text[0] ? text : NULL;
}

// Parses an axis as up_name writes it, but without "+".
static bool setting_parse_up(const char *text, struct view *view)
{
    view->up_is_set = true;
    for (int up = 0; up < UPS; up++) {
        const char *name = up_name((enum up)up);
        view->up = (enum up)up;
        if (strcmp(*name == '+' ? name + 1 : name, text) == 0) {
            return true;
        }
    }
    return false;
}

// Reads LOW:HIGH.
static bool setting_parse_grey(const char *text, struct grey *out)
{
    char low[64];
    const size_t length = strcspn(text, ":");
    snprintf(low, sizeof low, "%.*s", (int)(length < 63 ? length : 63), text);
    return length < sizeof low && text[length] && isovalue_parse(low, &out->low) &&
           isovalue_parse(text + length + 1, &out->high) && out->low.kind != ISOVALUE_AUTO &&
           out->high.kind != ISOVALUE_AUTO &&
           (out->low.kind != out->high.kind || out->low.value < out->high.value);
}

static const char *setting_print_grey(const struct grey *grey, char text[SETTING_TEXT])
{
    char low[40], high[40];
    isovalue_text(&grey->low, low);
    snprintf(text, SETTING_TEXT, "%s:%s", low, isovalue_text(&grey->high, high));
    return text;
}

bool setting_parse(const struct setting *setting, const char *text, struct view *view)
{
    void *at = setting_in(setting, view);
    const uint32_t name = text ? setting_name(setting, text) : 0;
    const size_t length = text ? strlen(text) : 0;
    uint64_t count = 0;
    double number;
    switch (setting->type) {
    case SETTING_PLAIN:
        return false;
    case SETTING_SWITCH:
        *(bool *)at = true;
        return true;
    case SETTING_WORD:
        *(unsigned *)at = name; // an enum without negative values is unsigned
        return name < setting->count;
    case SETTING_COUNT:
        if (whole_parse(text, length, (uint64_t)setting->most, &count) == WHOLE_OK) {
            *(uint32_t *)at = (uint32_t)count;
        }
        return count > 0 && (!setting->names || name < setting->count);
    case SETTING_NUMBER:
    case SETTING_ZOOM:
        if (!number_parse(text, length, &number) || number < setting->least ||
            number > setting->most) {
            return false;
        }
        *(float *)at = (float)number;
        return true;
    case SETTING_COLOURS:
    case SETTING_OPACITIES:
    case SETTING_HIDDEN:
        return setting_parse_list(setting, text, view);
    case SETTING_BACKGROUND:
        view->background = (enum background)name;
        return name < setting->count ||
               (*text == '#' && colour_parse(text, &view->background_colour));
    case SETTING_CASTER:
        view->caster = caster_find(text);
        return view->caster;
    case SETTING_ROUNDS:
        view->rounds = CAST_ROUNDS_HOST;
        if (strcmp(text, "host") == 0) {
            return true;
        }
        if (whole_parse(text, length, CAST_ROUNDS_MOST, &count) != WHOLE_OK) {
            return false;
        }
        view->rounds = count > 0 ? (uint32_t)count : CAST_ROUNDS_NONE;
        return true;
    case SETTING_PLANES:
        return !planes_parse(text, at) && (at == view->clips || planes_only_show(at));
    case SETTING_GREY:
        return setting_parse_grey(text, at);
    case SETTING_UP:
        return setting_parse_up(text, view);
    case SETTING_CAMERA:
        view->start.has_pose = pose_parse(text, &view->start.pose);
        return view->start.has_pose;
    case SETTING_DIRECTION:
        return setting_parse_direction(setting, text, &view->start);
    }
    return false;
}

const char *setting_print(
    const struct setting *setting, const struct view *view, const struct placement *placement,
    char text[SETTING_TEXT])
{
    const void *at = setting_of(setting, view);
    if (setting->type == SETTING_CAMERA) {
        return pose_text(&view->camera, placement, text);
    }
    if (setting->type == SETTING_UP) {
        const char *name = up_name(view->up);
        return !view->up_is_set ? NULL : *name == '+' ? name + 1 : name;
    }
    if (!setting_is_set(setting, view)) {
        return NULL;
    }
    switch (setting->type) {
    case SETTING_SWITCH:
        return "";
    case SETTING_WORD:
        return setting->names[*(const unsigned *)at];
    case SETTING_COUNT:
        snprintf(text, SETTING_TEXT, "%u", *(const uint32_t *)at);
        return text;
    case SETTING_NUMBER:
        return number_float_text(*(const float *)at, text);
    case SETTING_COLOURS:
    case SETTING_OPACITIES:
    case SETTING_HIDDEN:
        return setting_print_list(setting, view, text);
    case SETTING_BACKGROUND:
        return view->background == BACKGROUND_COLOUR ? colour_text(&view->background_colour, text)
                                                     : background_names[view->background];
    case SETTING_CASTER:
        return view->caster->name;
    case SETTING_PLANES:
        return planes_text(at, text);
    case SETTING_GREY:
        return setting_print_grey(at, text);
    default:
        return NULL;
    }
}
