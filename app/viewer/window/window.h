// The operating system's window. Only window.c knows GLFW.
#pragma once

#include "app/settings/keys.h"
#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

enum window_event_kind {
    WINDOW_KEY,     // pressed: key, mods, repeat; character if it typed punctuation
    WINDOW_RELEASE, // released: key
    WINDOW_TYPED,   // character: an input method typed it without a key press
    WINDOW_BUTTON,  // button, down, mods, x, y
    WINDOW_MOVE,    // x, y
    WINDOW_SCROLL,  // steps, mods, x, y
    WINDOW_DROP,    // path: valid until window_next returns false
    WINDOW_RESIZE,  // the framebuffer has changed its size
    WINDOW_CLOSE,   // the person closes the window
    WINDOW_OTHER,   // something that may need a redraw (focus, exposure)
};

enum window_button { WINDOW_LEFT, WINDOW_RIGHT, WINDOW_MIDDLE };

struct window_event {
    enum window_event_kind kind;
    int key, mods; // KEY_NONE: only the character counts
    int character; // the ASCII punctuation that was typed; 0: none
    bool repeat, down;
    enum window_button button;
    float x, y; // framebuffer pixels, y down
    float steps;
    const char *path; // of the first file that was dropped
    uint32_t more;    // how many others were dropped with it
};

// Counts of events since the window was made: keys pressed (with repeats), buttons pressed and
// released, moves before merging, turns of the wheel, drops of files. `errors`: errors of the
// display that were ignored, because another program had caused them.
struct window_counts {
    uint64_t keys, buttons, moves, scrolls, drops, errors;
};

struct window; // there can be only one

// True where a window can be opened (there is a display to connect to).
bool window_available(void);

// Opens a hidden window of width x height pixels; window_show shows it. Width 0: 1280 x 800 times
// the display's scale; a scaled window takes at most nine tenths of the screen. PROBLEM_NO_DEVICE:
// there is no display.
bool window_create(
    const char *title, uint32_t width, uint32_t height, struct window **out,
    struct problem *problem);
void window_destroy(struct window *window);
// Use it instead of window_destroy() if the device is lost, because its driver may still present
// pictures to the window. Hides the window and leaves it, and the connection to the display, until
// the process ends.
void window_leave(struct window *window);
void window_show(struct window *window);
void window_set_title(struct window *window, const char *title);

// The instance extensions that a surface of this window needs.
const char *const *window_extensions(uint32_t *count);
// Whether windows of this display can show pictures of this queue family. A surface may still be
// unable to.
bool window_presents(VkInstance instance, VkPhysicalDevice physical, uint32_t queue_family);
bool window_surface(
    struct window *window, VkInstance instance, VkSurfaceKHR *out, struct problem *problem);

// Size in pixels; 0 x 0 while minimised.
void window_extent(struct window *window, uint32_t *width, uint32_t *height);
// Size in pixels of the largest monitor; 0 x 0 if unknown.
void window_largest(uint32_t *width, uint32_t *height);
// Seconds between two pictures of the first monitor; 1/60 if unknown.
double window_interval(void);
float window_scale(struct window *window); // the display's scale of text
void window_toggle_fullscreen(struct window *window);

// Collects events. If there are none, waits for one for at most `seconds` (0: does not wait). Then
// window_next returns them one by one.
void window_poll(double seconds);
bool window_next(struct window *window, struct window_event *out);

const struct window_counts *window_counted(struct window *window);

// NULL while the window and its display exist. Otherwise says why they are gone: end the loop.
const char *window_lost(void);

// Copies UTF-8 text, for other programs to paste.
void window_copy(struct window *window, const char *text);

// From any thread: ends a wait in window_poll.
void window_wake(void);

double window_time(void); // seconds

// The native handle for the user interface's own input code.
void *window_handle(struct window *window);
