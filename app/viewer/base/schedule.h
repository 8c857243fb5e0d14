// What is due next in the window: a pure function of the open volume, the person's settings, the
// surface that was last begun, and the time. It knows neither window nor device and asks no clock:
// all its inputs are in struct schedule and struct situation. The window's loop asks what is due,
// does it, and asks again.
#pragma once

#include "app/settings/view.h"

#include <stdbool.h>
#include <stdint.h>

static const double REFINE_SECONDS = 0.3;  // after the last move, until a draft is drawn in full
static const double DRAFT_SECONDS = 0.5;   // more until the cast of a draft is dropped
static const double REST_SECONDS = 0.3;    // settings stay unchanged before a surface is given up
static const double FRAME_SECONDS = 0.1;   // from frame to frame while a surface or cast is made
static const double CALIBRATE_SECONDS = 1; // without input before a slice is measured
static const double STUCK_SECONDS = 0.25;  // before a frame that could not start is attempted again
static const double FRAMES_AN_INTERVAL = 4; // at most: the display shows only the newest frame
static const double SLOW_MS =
    50; // a full picture that takes longer is replaced by drafts while it moves

// The settings of a view that determine a contour's surface.
struct surface_settings {
    double iso;
    const struct method *method;
    bool every_brick;
};

struct surface_settings schedule_surface_of(const struct view *view, uint32_t contour);

// What has been begun and what is still to be done. Times are in seconds of one clock.
struct schedule {
    // The surface of each contour that was begun last.
    struct begun_surface {
        bool has_begun; // false: a surface is due, even if one was begun before
        struct surface_settings begun;
        bool refused; // there was no memory for it
    } contours[CONTOURS_MOST];
    uint32_t contour; // whose surface was begun last

    struct surface_settings wanted; // the latest settings of the surface that is due next
    double wanted_since;            // when `wanted` last changed; 0: no surface is due

    uint32_t redraw; // frames to draw although nothing has changed: the panel needs two to settle
    bool picture_is_old;             // the scene must be drawn again
    bool picture_is_draft;           // draw the picture in full as soon as nothing moves
    double moved;                    // when the scene last changed
    double full_ms[DRAWS];           // time of the last full picture on the device
    double cast_isos[CONTOURS_MOST]; // isovalues for which rays were last wanted
    double next_frame;               // while work runs between frames: no frame before this time

    double drawn; // when the last frame was drawn
    double last_input;
    bool export_due;    // begin it as soon as the surface is complete and no frame is in flight
    bool export_awaits; // a surface was due or being made when the export was requested
    bool quit;          // the person has closed the window
};

// How the next frame draws the picture.
enum due_picture { PICTURE_STAYS, PICTURE_DRAFT, PICTURE_FULL };

// The state of one kind of work: making a surface, or casting rays.
struct turn {
    bool wanted;      // there is something to work on
    bool runs;        // it runs between frames: begun, but not complete
    bool needs_frame; // true: a frame records it; false: it runs between frames
};

// The state of the window.
struct situation {
    double now;
    const struct view *view;
    bool sweeping;       // the isovalue advances by itself
    bool dragging;       // the mouse moves the camera, or something in the panel
    bool typing;         // a text field of the panel is active: its caret blinks
    bool rays;           // the view draws rays: a mesh is only for its numbers and for files
    bool wants_caster;   // drafts of triangles would be cast if their rays were prepared
    bool steady;         // the picture shows the view's rays, or they are cast and not yet drawn
    struct turn surface; // wanted: a volume is open. runs: also while a mesh is made for a file
    bool joining;        // the surface that runs is a mesh for a file
    struct turn cast;    // the rays. wanted: they can be drawn
    bool outdated;       // the view needs other rays than the current or last cast has
    bool cast_is_new;    // a cast between frames is complete, but not drawn yet
    enum due_picture cast_for; // which picture the cast is for
    bool stays;           // keep the picture: its surface is no longer on the device, or there is
                          // no memory for a picture
    bool loading;         // a file is being read
    bool loaded;          // the file has been read and waits to be shown
    bool uploading;       // a volume is being uploaded between frames
    bool exporting;       // a mesh is being written
    bool wants_times;     // the method uses measured times, and there are none yet
    bool comparing;       // all methods are being measured
    bool hidden;          // the window is minimised: nothing can be drawn
    bool stuck;           // the last frame could not be started
    double interval;      // seconds between two pictures of the display
    double message_until; // when the message disappears; 0: it stays
    uint64_t frames;      // finished frames with an open volume
    uint64_t exit_after;  // the window closes after so many frames; 0: the person closes it
};

struct due {
    bool end;              // close the window
    bool step;             // begin the view's surface; with rays, when nothing moves
    bool gives_up;         // give up the surface in progress: it is no longer wanted
    bool drops_cast;       // end the cast between frames: it is no longer wanted
    enum due_picture cast; // begin a cast for this picture; PICTURE_STAYS: none is due
    bool exports;          // begin to write the mesh
    bool unsays;           // remove the message
    bool frame;            // draw a frame
    bool prepares;         // prepare the rays of drafts of triangles
    bool calibrates;       // measure a slice of the methods' times, for `auto`
    bool compares;         // measure a slice of all methods, for the table
    double wait;           // seconds to wait for the next event, at most; 0: do not wait
};

void schedule_due(const struct schedule *schedule, const struct situation *at, struct due *out);

// How the next frame draws the picture. `new_surface`: that frame makes a surface. Rays that are
// cast between frames are drawn when their cast is complete.
enum due_picture
schedule_picture(const struct schedule *schedule, const struct situation *at, bool new_surface);

// The contour whose surface is begun next: the selected one if the view needs another surface of it
// than was begun last, else the first such one that triangles show. CONTOURS_MOST: none.
uint32_t schedule_next(const struct schedule *schedule, const struct view *view);
bool schedule_wants(const struct schedule *schedule, const struct view *view); // there is one

// ---- what happens ----

// Call it before schedule_due. Notes when the view began to need its surface. With rays, notes that
// another isovalue needs another picture.
void schedule_look(struct schedule *schedule, const struct view *view, double now);
// Contours may have been added or removed. Where another contour than before needs a surface that
// was begun, exchanges what is known of the two. from[i]: which contour it was that is now contour
// i. False: nothing was exchanged.
bool schedule_arrange(
    struct schedule *schedule, const struct view *view, uint32_t from[CONTOURS_MOST]);
// The next surface is begun: see schedule_next. If none is due, it is that of the selected contour.
void schedule_begin(struct schedule *schedule, const struct view *view);
// The scene has changed.
void schedule_move(struct schedule *schedule, double now);
// A frame begins or has completed a surface. This counts as a move: a slow full picture waits.
void schedule_step(struct schedule *schedule, double now);
// There was no memory for the surface that was begun. It is not begun again by itself.
void schedule_refuse(struct schedule *schedule);
// The surface that was begun last is due, even though it was begun before.
void schedule_again(struct schedule *schedule);
void schedule_again_of(struct schedule *schedule, uint32_t contour); // the same for a contour
// Measuring all methods has ended. The lists on the device are those of the last measured method,
// so the view's surface is made again.
void schedule_measured(struct schedule *schedule);
// Another volume is shown. Its surface is due. An export that was due for the old volume is not.
void schedule_open(struct schedule *schedule);
// Requests an export of the mesh. `awaits`: its surface is still due or being made.
void schedule_export(struct schedule *schedule, bool awaits);
// The export of a contour begins. False: there was no memory for the awaited surface.
bool schedule_begin_export(struct schedule *schedule, uint32_t contour);
// The person has used mouse or keyboard.
void schedule_input(struct schedule *schedule, double now);
// The person closes the window.
void schedule_close(struct schedule *schedule);
// The panel has changed: at least `frames` frames follow.
void schedule_redraw(struct schedule *schedule, uint32_t frames);
// A frame draws the picture as `picture` says. PICTURE_STAYS: the picture cannot be drawn.
void schedule_draw(struct schedule *schedule, enum due_picture picture);
// A full picture of kind `draw` took `full_ms` milliseconds on the device.
void schedule_time(struct schedule *schedule, enum draw_kind draw, double full_ms);
// A frame was drawn.
void schedule_drawn(struct schedule *schedule, double now);
// Work between frames begins, or a frame was attempted: the next comes FRAME_SECONDS later.
void schedule_put_off(struct schedule *schedule, double now);
