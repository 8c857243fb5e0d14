#include "app/settings/setting.h"

#include "app/base/number.h"
#include "compute/casting/casting.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// The parameters of a function that prints.
#define PRINTS                                                                                     \
    const struct setting *setting, const struct view *view, const struct placement *placement,     \
        char text[SETTING_TEXT]

void *setting_in(const struct setting *setting, struct view *view)
{
    return (char *)view + (setting->place - offsetof(struct settings, view));
}

const void *setting_of(const struct setting *setting, const struct view *view)
{
    return (const char *)view + (setting->place - offsetof(struct settings, view));
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

// The number of a name; that of the names where none is this one.
static uint32_t setting_name(const struct setting *setting, const char *text)
{
    uint32_t name = 0;
    while (name < setting->count && strcmp(setting->names[name], text) != 0) {
        name++;
    }
    return name;
}

static bool setting_parse_switch(const struct setting *setting, const char *text, struct view *view)
{
    (void)text;
    *(bool *)setting_in(setting, view) = true;
    return true;
}

static const char *setting_print_switch(PRINTS)
{
    (void)placement, (void)text;
    return setting_is_set(setting, view) ? "" : NULL;
}

static bool setting_parse_word(const struct setting *setting, const char *text, struct view *view)
{
    unsigned *word = setting_in(setting, view); // as every enum without negative values
    *word = setting_name(setting, text);
    return *word < setting->count;
}

static const char *setting_print_word(PRINTS)
{
    (void)placement, (void)text;
    const unsigned word = *(const unsigned *)setting_of(setting, view);
    return word ? setting->names[word] : NULL;
}

static bool setting_parse_count(const struct setting *setting, const char *text, struct view *view)
{
    uint64_t count;
    const bool fine =
        whole_parse(text, strlen(text), (uint64_t)setting->most, &count) == WHOLE_OK && count > 0 &&
        (!setting->names || setting_name(setting, text) < setting->count);
    *(uint32_t *)setting_in(setting, view) = fine ? (uint32_t)count : 0;
    return fine;
}

static const char *setting_print_count(PRINTS)
{
    (void)placement;
    snprintf(text, SETTING_TEXT, "%u", *(const uint32_t *)setting_of(setting, view));
    return setting_is_set(setting, view) ? text : NULL;
}

static bool setting_parse_colour(const struct setting *setting, const char *text, struct view *view)
{
    return colour_parse(text, setting_in(setting, view));
}

static const char *setting_print_colour(PRINTS)
{
    (void)placement;
    const struct colour *colour = setting_of(setting, view);
    return colour->set ? colour_text(colour, text) : NULL;
}

static bool
setting_parse_background(const struct setting *setting, const char *text, struct view *view)
{
    view->background = (enum background)setting_name(setting, text);
    return view->background < BACKGROUND_COLOUR ||
           (*text == '#' && colour_parse(text, &view->background_colour));
}

static const char *setting_print_background(PRINTS)
{
    return view->background == BACKGROUND_COLOUR
               ? colour_text(&view->background_colour, text)
               : setting_print_word(setting, view, placement, text);
}

static bool setting_parse_caster(const struct setting *setting, const char *text, struct view *view)
{
    (void)setting;
    view->caster = caster_find(text);
    return view->caster;
}

static const char *setting_print_caster(PRINTS)
{
    (void)setting, (void)placement, (void)text;
    return view->caster ? view->caster->name : NULL;
}

static bool setting_parse_rounds(const struct setting *setting, const char *text, struct view *view)
{
    (void)setting;
    uint64_t count = 0;
    const bool host = strcmp(text, "host") == 0;
    const bool fine = host || whole_parse(text, strlen(text), CAST_ROUNDS_MOST, &count) == WHOLE_OK;
    view->rounds = host ? CAST_ROUNDS_HOST : count > 0 ? (uint32_t)count : CAST_ROUNDS_NONE;
    return fine;
}

static bool setting_parse_up(const struct setting *setting, const char *text, struct view *view)
{
    (void)setting;
    for (int up = 0; up < UPS; up++) {
        const char *name = up_name((enum up)up);
        if (strcmp(*name == '+' ? name + 1 : name, text) == 0) {
            view->up = (enum up)up;
            view->up_is_set = true;
            return true;
        }
    }
    return false;
}

static const char *setting_print_up(PRINTS)
{
    (void)setting, (void)placement, (void)text;
    const char *name = up_name(view->up);
    return !view->up_is_set ? NULL : *name == '+' ? name + 1 : name;
}

static bool setting_parse_camera(const struct setting *setting, const char *text, struct view *view)
{
    (void)setting;
    view->start.has_pose = pose_parse(text, &view->start.pose);
    return view->start.has_pose;
}

static const char *setting_print_camera(PRINTS)
{
    (void)setting;
    return pose_text(&view->camera, placement, text);
}

// One of the names, or AZ,EL.
static bool
setting_parse_direction(const struct setting *setting, const char *text, struct view *view)
{
    static const double directions[][2] = {
        { 0, 0 },
        { 180, 0 },
        { -90, 0 },
        { 90, 0 },
        { 0, 90 },
        { 0, -90 },
        { 45, 35.264389682754654 },
    };
    struct view_start *start = &view->start;
    const uint32_t name = setting_name(setting, text);
    const char *starts[2];
    size_t lengths[2];
    start->has_direction = true;
    if (name < setting->count) {
        start->azimuth = directions[name][0];
        start->elevation = directions[name][1];
        return true;
    }
    return split(text, ',', 2, starts, lengths) == 2 &&
           number_parse(starts[0], lengths[0], &start->azimuth) &&
           number_parse(starts[1], lengths[1], &start->elevation) && fabs(start->elevation) <= 90;
}

static bool setting_parse_zoom(const struct setting *setting, const char *text, struct view *view)
{
    double *zoom = &view->start.zoom;
    return number_parse(text, strlen(text), zoom) && *zoom >= setting->least &&
           *zoom <= setting->most;
}

const struct setting_type setting_switch = { setting_parse_switch, setting_print_switch };
const struct setting_type setting_word = { setting_parse_word, setting_print_word };
const struct setting_type setting_count = { setting_parse_count, setting_print_count };
const struct setting_type setting_number = { 0 };
const struct setting_type setting_colour = { setting_parse_colour, setting_print_colour };
const struct setting_type setting_background = { setting_parse_background,
                                                 setting_print_background };
const struct setting_type setting_caster = { setting_parse_caster, setting_print_caster };
const struct setting_type setting_rounds = { setting_parse_rounds, NULL };
const struct setting_type setting_up = { setting_parse_up, setting_print_up };
const struct setting_type setting_camera = { setting_parse_camera, setting_print_camera };
const struct setting_type setting_direction = { setting_parse_direction, NULL };
const struct setting_type setting_zoom = { setting_parse_zoom, NULL };
