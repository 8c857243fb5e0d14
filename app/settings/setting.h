// A setting: a field that a person sets, and how its value is read and written as text.
#pragma once

#include "app/settings/settings.h"

#define SETTING_TEXT PLANES_TEXT // bytes for a value as text, with its terminating 0

enum setting_type {
    SETTING_PLAIN,     // neither parsed nor printed
    SETTING_SWITCH,    // a bool; its option has no value and sets it
    SETTING_WORD,      // an enum, by names; the first is the default
    SETTING_COUNT,     // a uint32_t, from 1 to `most`; if there are names, one of these
    SETTING_NUMBER,    // a float, from `least` to `most`
    SETTING_COLOURS,   // of the contours; a single value is for all
    SETTING_OPACITIES, // the same; the field has 1 - opacity
    SETTING_HIDDEN,    // numbers of contours, from 1
    SETTING_BACKGROUND,
    SETTING_CASTER,
    SETTING_ROUNDS,    // only parsed
    SETTING_PLANES,    // PLANES_MOST planes
    SETTING_GREY,      // a struct grey
    SETTING_UP,        // the axis that is up
    SETTING_CAMERA,    // parses the first camera, prints the current one
    SETTING_DIRECTION, // of the first camera; only parsed
    SETTING_ZOOM,      // of the first camera; only parsed
};

// What a setting needs, without which it has no effect.
enum setting_needs { NEEDS_NOTHING, NEEDS_CLIP, NEEDS_SECTION, NEEDS_GREY, SETTING_NEEDS };

extern const char *const setting_needs[SETTING_NEEDS]; // "--clip"

// A field of struct settings. Its default is all zero.
struct setting {
    size_t place, size; // of the field: offset in struct settings, and bytes
    enum setting_type type;
    const char *const *names;
    uint32_t count;     // number of names
    const char *option; // name of the option of view, render and animate; NULL: none
    const char *value;  // the option's value in the help; NULL: it takes none
    const char *help;   // lines of the help
    double least, most;
    bool beside;           // only the panel shows it, so the picture does not depend on it
    bool no_rays;          // it has no effect on rays: --draw rays refuses it
    const char *rays_only; // NULL, or why the option is refused without --draw rays
    enum setting_needs needs;
    const char *expected; // what a message calls for instead of a wrong value; NULL: `value`
    const char *title;    // its name in the message after a key changes it; NULL: no message
    const char *member;   // of "window" in a session (switch or number); NULL: none
    bool resets;          // a session without the member sets the default
    uint32_t style;       // the bit of picture_block.style by which shaders see a switch; 0: none
    bool stays; // the last view of a file keeps its value even if only the command line gave it
};

// The setting's field in a view.
void *setting_in(const struct setting *setting, struct view *view);
const void *setting_of(const struct setting *setting, const struct view *view);

// Whether two views have the same value.
bool setting_same(const struct setting *setting, const struct view *a, const struct view *b);

// Whether the value is not the default.
bool setting_is_set(const struct setting *setting, const struct view *view);

// Whether the view has what the setting needs.
bool setting_applies(const struct setting *setting, const struct view *view);

// Parses the value of the option; NULL for a switch. False: the text has a wrong form, and the view
// is undefined.
bool setting_parse(const struct setting *setting, const char *text, struct view *view);

// Returns the value as text, in `text` or in a constant. `placement`: of the view's volume. NULL:
// there is nothing to write, because the value is the default or is only parsed.
const char *setting_print(
    const struct setting *setting, const struct view *view, const struct placement *placement,
    char text[SETTING_TEXT]);
