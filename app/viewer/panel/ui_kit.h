// Pieces that the panel's files share. Only C++ files include this, after imgui.h.
#pragma once

#include <atomic>
// C headers use these types, which C++ has in std.
using std::atomic_bool;
using std::atomic_int;

extern "C" {
#include "app/base/number.h"
#include "app/viewer/panel/ui_colours.h"
#include "app/viewer/panel/ui_model.h"
}

#define UI_COLOUR(name, red, green, blue, alpha)                                                   \
    static const ImU32 name __attribute__((unused)) = IM_COL32(red, green, blue, alpha);
UI_COLOURS(UI_COLOUR)
#undef UI_COLOUR

#define UNKNOWN "\xe2\x80\x93"

struct ui_kit {
    ImFont *font, *small, *bold, *big;
    float scale;
};

ImU32 ui_fade(ImU32 colour, float share);
void ui_dim_text(const char *text);
void ui_heading(const struct ui_kit *kit, const char *text);
// Draws text that ends at x = `right` of the content region, on the line of the last item.
void ui_right_text(const char *text, float right, ImU32 colour);
// Shortens `text` to `width`, with dots at its end; after a whole word if it has several.
void ui_cut_text(const char *text, float width, char *out, size_t size);

// Draws small text that ends at x = `right`.
void ui_put(const struct ui_kit *kit, float right, float y, ImU32 colour, const char *text);
void ui_cut_line(ImU32 colour, const char *text, float width); // one line, cut at `width`
// Draws a small button that ends at x = `right` of the window. Returns `right` for the next one.
float ui_choice(const struct ui_kit *kit, const char *text, bool on, float right, bool *pressed);
// Places the next tooltip beside the panel at height `y`, inside of the window.
void ui_place_tooltip(const struct ui_kit *kit, float y);
void ui_wrapped_tooltip(const struct ui_kit *kit, const char *text);
void ui_explain(const struct ui_kit *kit, const char *text); // tooltip of the last item
