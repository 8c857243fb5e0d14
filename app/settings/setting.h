// A setting, and the types of settings: how their values are read and written as text.
#pragma once

#include "app/settings/settings.h"

#define SETTING_TEXT 256 // bytes for a value as text, with its end

struct setting;

struct setting_type {
    // Reads a value as an option has it; NULL for a type without one. False: the text has another
    // form, and the view is undefined.
    bool (*parse)(const struct setting *setting, const char *text, struct view *view);
    // Writes it for a volume with this placement. NULL: the value is the default, so there is
    // nothing to write. No function: it is never written.
    const char *(*print)(
        const struct setting *setting, const struct view *view, const struct placement *placement,
        char text[SETTING_TEXT]);
};

extern const struct setting_type setting_switch; // a bool; its option has no value and sets it
extern const struct setting_type setting_word;   // an enum; the first of its names is the default
extern const struct setting_type setting_count;  // a uint32_t; 0: the default
extern const struct setting_type setting_number; // a float of a session, not of an option
extern const struct setting_type setting_colour;
extern const struct setting_type setting_background;
extern const struct setting_type setting_caster;
extern const struct setting_type setting_rounds;
extern const struct setting_type setting_up;
extern const struct setting_type setting_camera;    // reads where it starts, writes where it is
extern const struct setting_type setting_direction; // where it starts
extern const struct setting_type setting_zoom;      // the same

// A field of struct settings. Its default is all zero.
struct setting {
    size_t place, size;              // bytes in struct settings
    const struct setting_type *type; // NULL: it is not written as text
    const char *const *names;        // of setting_word; of setting_count: the only ones, or NULL
    uint32_t count;                  // of the names
    double least, most;              // of setting_count and setting_number
    bool beside;           // it is shown beside the picture and does not change the picture
    bool no_rays;          // it is of triangles: --draw rays refuses it
    const char *rays_only; // it is of rays: why an option without --draw rays is refused
    const char *option;    // of view, render and animate, and of a session; NULL: none
    const char *value;     // in the help; NULL: it takes none
    const char *help;      // lines
    const char *expected;  // another value is refused so; NULL: one of the words of `value`
    const char *member;    // of "window" in a session, a bool or setting_number; NULL: none
};

// The field in a view.
void *setting_in(const struct setting *setting, struct view *view);
const void *setting_of(const struct setting *setting, const struct view *view);

// Whether the value is not the default.
bool setting_is_set(const struct setting *setting, const struct view *view);
