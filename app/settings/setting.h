// A setting: a field that a person sets, and how its value is read and written as text.
#pragma once

#include "app/settings/settings.h"

#define SETTING_TEXT 256 // bytes for a value as text, with its end

enum setting_type {
    SETTING_PLAIN,  // not written as text
    SETTING_SWITCH, // a bool; its option has no value and sets it
    SETTING_WORD,   // an enum, by names; the first is the default
    SETTING_COUNT,  // a uint32_t, from 1 to `most`; where there are names only these
    SETTING_NUMBER, // a float, from `least` to `most`
    SETTING_COLOUR,
    SETTING_BACKGROUND,
    SETTING_CASTER,
    SETTING_ROUNDS,    // read only
    SETTING_UP,        // the axis that is up
    SETTING_CAMERA,    // reads where it starts, writes where it is
    SETTING_DIRECTION, // where it starts: read only
    SETTING_ZOOM,      // the same
};

// A field of struct settings. Its default is all zero.
struct setting {
    size_t place, size; // bytes in struct settings
    enum setting_type type;
    const char *const *names;
    uint32_t count;     // of names
    const char *option; // of view, render and animate; NULL: none
    const char *value;  // in the help; NULL: it takes none
    const char *help;   // lines
    double least, most;
    bool beside;           // the panel draws it; the picture stays the same
    bool no_rays;          // it has no effect on rays: --draw rays refuses it
    const char *rays_only; // NULL, or why the option is refused without --draw rays
    const char *expected;  // another value is refused so; NULL: one of the words of `value`
    const char *title;     // what a message calls it when a key changes it; NULL: there is none
    const char *member;    // of "window" in a session, of a switch or number; NULL: its option
    bool resets;           // a session without the member sets the default
    uint32_t style;        // the bit of picture_block.style by which shaders see a switch; 0: none
    bool stays; // the last view of a file keeps its value even if only the command line gave it
};

// The field in a view.
void *setting_in(const struct setting *setting, struct view *view);
const void *setting_of(const struct setting *setting, const struct view *view);

// Whether two views have the same value.
bool setting_same(const struct setting *setting, const struct view *a, const struct view *b);

// Whether the value is not the default.
bool setting_is_set(const struct setting *setting, const struct view *view);

// Reads a value as the option has it; NULL for a switch. False: the text has another form, and the
// view is undefined.
bool setting_parse(const struct setting *setting, const char *text, struct view *view);

// Writes it for a volume with this placement, into `text` or elsewhere. NULL: the value is the
// default or only read, so there is nothing to write.
const char *setting_print(
    const struct setting *setting, const struct view *view, const struct placement *placement,
    char text[SETTING_TEXT]);
