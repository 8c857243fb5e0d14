// What is due next in the window: a pure function of what is open, what the person chose, what was
// last tried, and the time. It knows neither window nor device and asks no clock: all that it goes
// by stands in the two structs here. The window's loop asks, does what is due, and asks again.
#pragma once

#include "app/picture/view.h"

#include <stdbool.h>
#include <stdint.h>

// What of a view makes another surface.
struct surface_settings {
    double iso;
    const struct method *method;
    bool every_brick;
};

struct surface_settings schedule_surface_of(const struct view *view);

// What has been done and is still to be done. Times are in seconds of one clock.
struct schedule {
    bool has_begun;                // false: a surface is due, whatever was tried before
    struct surface_settings begun; // what the surface that was begun last was made from
    bool refused;                  // it had no room

    struct surface_settings wanted; // as the view was last seen, while it differs from `begun`
    double wanted_since;            // 0: it does not differ

    uint32_t redraw; // frames that are still to be drawn although nothing is new: the panel takes
                     // two to settle
    bool picture_is_old;   // the scene must be drawn again
    bool picture_is_draft; // and in full as soon as nothing moves
    double moved;          // when it last had to be drawn anew
    double full_ms;        // what the last picture in full took on the device
    double next_frame;     // not before this time, while a surface is made between frames

    double last_input;
    bool export_due;    // as soon as the surface asked for is there and no frame is in flight
    bool export_awaits; // a surface that was due when the export was asked for
    bool quit;          // the person has closed the window
};

// How things stand.
struct situation {
    double now;
    const struct view *view;
    bool sweeping;        // the isovalue goes on by itself
    bool dragging;        // the mouse moves the camera
    bool typing;          // into a field of the panel: the caret blinks
    bool open;            // a volume is
    bool in_parts;        // its surface is made part by part between frames, and not by a frame
    bool making;          // such a surface has been begun, or the mesh of one:
    bool joining;         // it is the mesh
    bool stays;           // the picture must: its surface is not on the device any more, or there
                          // is no memory for a picture
    bool loading;         // a file is being read
    bool loaded;          // and it has been, and waits to be shown
    bool uploading;       // a volume is on its way to the device, between frames
    bool exporting;       // a mesh is being written
    bool wants_times;     // the method goes by measured times, and there are none yet
    bool hidden;          // there is no window to draw in: it is minimised
    bool stuck;           // the last frame could not be started
    double message_until; // when the message goes by itself; 0: it does not
    uint64_t frames;      // that showed a volume
    uint64_t exit_after;  // so many; 0: the person quits
};

struct due {
    bool end;        // of the window
    bool step;       // the surface of the view's settings is to be begun
    bool gives_up;   // what is being made is of no use any more
    bool exports;    // writing the mesh begins
    bool unsays;     // the message goes
    bool frame;      // one is drawn
    bool calibrates; // a slice of the methods' measurement
    double wait;     // so many seconds at most for the next event; 0: not at all
};

void schedule_due(const struct schedule *schedule, const struct situation *at, struct due *out);

// What the next frame does about the picture.
enum due_picture { PICTURE_STAYS, PICTURE_DRAFT, PICTURE_FULL };

// `new_surface`: the frame makes one.
enum due_picture
schedule_picture(const struct schedule *schedule, const struct situation *at, bool new_surface);

// Whether the view asks for another surface than the one that was tried last.
bool schedule_wants(const struct schedule *schedule, const struct view *view);

// ---- what happens ----

// Before each look at what is due: since when the view has asked for what it asks for.
void schedule_look(struct schedule *schedule, const struct view *view, double now);
// The surface of the view's settings is begun.
void schedule_try(struct schedule *schedule, const struct view *view);
// The scene has changed.
void schedule_move(struct schedule *schedule, double now);
// The panel has news: at least so many frames follow.
void schedule_redraw(struct schedule *schedule, uint32_t frames);
// A frame was drawn.
void schedule_drawn(struct schedule *schedule);
// Making a surface begins, or a frame was tried meanwhile: the next one comes a while later.
void schedule_put_off(struct schedule *schedule, double now);
