// A setting, and the types of settings: how their values are read and written as text.
#pragma once

#include "app/settings/settings.h"

#define SETTING_TEXT 256 // bytes for a value as text, with its end

struct setting;

struct setting_type {
    // Reads a value as an option has it; NULL for a type without one. False: the text has another
    // form, and the view is undefined.
    bool (*parse)(const struct setting *setting, const char *text, struct view *view);
    // Writes it. NULL: the value is the default, so there is nothing to write.
    const char *(*print)(
        const struct setting *setting, const struct view *view, char text[SETTING_TEXT]);
};

extern const struct setting_type setting_switch; // a bool; its option has no value and sets it
extern const struct setting_type setting_word;   // an enum; the first of its names is the default

// A field of struct settings. Its default is all zero.
struct setting {
    size_t place, size;              // bytes in struct settings
    const struct setting_type *type; // NULL: it is not written as text
    const char *const *names;        // of setting_word
    uint32_t count;                  // of them
    bool beside;                     // the panel draws it; the picture stays the same
    bool no_rays;                    // it has no effect on rays: --draw rays refuses it
    const char *rays_only;           // NULL, or why the option is refused without --draw rays
    const char *option;              // of view, render and animate, and of a session; NULL: none
    const char *value;               // in the help; NULL: it takes none
    const char *help;                // lines
    const char *member;              // of "window" in a session; NULL: none. A bool
};

// The field in a view.
void *setting_in(const struct setting *setting, struct view *view);
const void *setting_of(const struct setting *setting, const struct view *view);

// Whether the value is not the default.
bool setting_is_set(const struct setting *setting, const struct view *view);
