// What is due next in the window: a pure function of the open volume, the person's settings, the
// surface that was last begun, and the time. It knows neither window nor device and asks no clock:
// all its inputs are in the two structs here. The window's loop asks what is due, does it, and asks
// again.
#pragma once

#include "app/settings/view.h"

#include <stdbool.h>
#include <stdint.h>

static const double REFINE_SECONDS = 0.3;  // of rest before a draft is drawn in full
static const double DRAFT_SECONDS = 0.5;   // more, in which a draft between frames may be completed
static const double REST_SECONDS = 0.3;    // that other settings stay before a surface is given up
static const double FRAME_SECONDS = 0.1;   // between frames while a surface is made
static const double CALIBRATE_SECONDS = 1; // without input before a slice
static const double STUCK_SECONDS = 0.25;  // before a frame that could not start is attempted again
static const double FRAMES_AN_INTERVAL = 4; // at most: the display shows the newest of them
static const double SLOW_MS =
    50; // a full picture that takes longer is replaced by drafts while it moves

// The settings of a view that determine its surface.
struct surface_settings {
    double iso;
    const struct method *method;
    bool every_brick;
};

struct surface_settings schedule_surface_of(const struct view *view);

// What has been begun and what is still to be done. Times are in seconds of one clock.
struct schedule {
    bool has_begun;                // false: a surface is due, whatever was begun before
    struct surface_settings begun; // the settings of the surface that was begun last
    bool refused;                  // there was no memory for it

    struct surface_settings wanted; // the view's latest settings while they differ from `begun`
    double wanted_since; // since when they have been the same; 0: they do not differ from `begun`

    uint32_t redraw; // frames that are still to be drawn although nothing is new: the panel needs
                     // two to settle
    bool picture_is_old;   // the scene must be drawn again
    bool picture_is_draft; // draw it in full as soon as nothing moves
    double moved;          // when the scene last changed
    double full_ms[DRAWS]; // time of the last full picture on the device
    double cast_iso;       // that rays were last wanted for
    double next_frame;     // while a surface is made between frames: no frame before this time

    double drawn; // when the last frame was drawn
    double last_input;
    bool export_due;    // as soon as the requested surface is there and no frame is in flight
    bool export_awaits; // a surface was due or being made when the export was requested
    bool quit;          // the person has closed the window
};

// How the next frame draws the picture.
enum due_picture { PICTURE_STAYS, PICTURE_DRAFT, PICTURE_FULL };

// The state of a work: of a surface, or of rays.
struct turn {
    bool wanted;      // there is something to work on
    bool runs;        // it has been begun between frames
    bool needs_frame; // a frame records it; otherwise it goes on between frames
};

// The state of the window.
struct situation {
    double now;
    const struct view *view;
    bool sweeping;       // the isovalue advances by itself
    bool dragging;       // the mouse moves the camera, or something in the panel
    bool typing;         // in a field of the panel: the caret blinks
    bool rays;           // draws the volume: the mesh is for its numbers and for files
    bool steady;         // the picture shows the view's rays, or they are cast and not yet drawn
    struct turn surface; // wanted: a volume is open. Runs: also while its mesh is made for a file
    bool joining;        // it is the mesh
    struct turn cast;    // of rays. Wanted: they can be drawn
    bool outdated;       // the view has other rays than the cast that runs or ran last
    bool cast_is_new;    // a cast between frames is complete, and is to be drawn
    enum due_picture cast_for; // which picture the cast is for
    bool stays;           // keep the picture: its surface is no longer on the device, or there is
                          // no memory for a picture
    bool loading;         // a file is being read
    bool loaded;          // the file has been read and waits to be shown
    bool uploading;       // a volume is being uploaded between frames
    bool exporting;       // a mesh is being written
    bool wants_times;     // the method uses measured times, and there are none yet
    bool comparing;       // all methods are being measured
    bool hidden;          // there is no window to draw in: it is minimised
    bool stuck;           // the last frame could not be started
    double interval;      // between two pictures of the display
    double message_until; // when the message disappears; 0: it stays
    uint64_t frames;      // number of frames with a volume
    uint64_t exit_after;  // the number after which the window closes; 0: the person closes it
};

struct due {
    bool end;        // the window closes
    bool step;       // begin the surface of the view's settings; with rays once all else rests
    bool gives_up;   // give up what is being made: it is no longer wanted
    bool drops_cast; // end the cast between frames: it is no longer wanted
    enum due_picture cast; // begin one, for this; PICTURE_STAYS: none is due
    bool exports;          // begin to write the mesh
    bool unsays;           // remove the message
    bool frame;            // draw a frame
    bool calibrates;       // measure a slice of the methods' times, for `auto`
    bool compares;         // the same at the view's isovalue, for the table
    double wait;           // seconds to wait for the next event, at most; 0: do not wait
};

void schedule_due(const struct schedule *schedule, const struct situation *at, struct due *out);

// `new_surface`: the frame makes a surface. Rays that are cast between frames are drawn when they
// have been cast.
enum due_picture
schedule_picture(const struct schedule *schedule, const struct situation *at, bool new_surface);

// Whether the surface that was begun last is not that of the view.
bool schedule_wants(const struct schedule *schedule, const struct view *view);

// ---- what happens ----

// Call it before schedule_due. Notes since when the view has needed its surface, and that rays need
// another picture for another isovalue.
void schedule_look(struct schedule *schedule, const struct view *view, double now);
// The surface of the view's settings is begun.
void schedule_begin(struct schedule *schedule, const struct view *view);
// The scene has changed.
void schedule_move(struct schedule *schedule, double now);
// A frame begins a surface, or has completed one: a slow full picture waits until nothing moves.
void schedule_step(struct schedule *schedule, double now);
// There was no memory for the surface that was begun. It is not begun again by itself.
void schedule_refuse(struct schedule *schedule);
// The surface of the view's settings is due, even if it was begun before.
void schedule_again(struct schedule *schedule);
// Measuring all methods has ended: the lists on the device are those of the last method, so the
// view's own makes them again.
void schedule_measured(struct schedule *schedule);
// Another volume is shown: its surface is due, and no export, which was for the old one.
void schedule_open(struct schedule *schedule);
// The mesh is to be written. `awaits`: of a surface that is due or being made.
void schedule_export(struct schedule *schedule, bool awaits);
// Begins to write it. False: the awaited surface was refused.
bool schedule_begin_export(struct schedule *schedule);
// The person has used mouse or keyboard.
void schedule_input(struct schedule *schedule, double now);
// The person closes the window.
void schedule_close(struct schedule *schedule);
// The panel has changed: at least so many frames follow.
void schedule_redraw(struct schedule *schedule, uint32_t frames);
// The next frame shows the picture as schedule_picture says. PICTURE_STAYS: it cannot be drawn.
void schedule_draw(struct schedule *schedule, enum due_picture picture);
// A full picture, drawn in this way, took so many milliseconds on the device.
void schedule_time(struct schedule *schedule, enum draw_kind draw, double full_ms);
// A frame was drawn.
void schedule_drawn(struct schedule *schedule, double now);
// Making a surface begins, or a frame was attempted meanwhile: the next frame comes a while later.
void schedule_put_off(struct schedule *schedule, double now);
