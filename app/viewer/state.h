// What the window's files share: one struct, whose parts are each owned by one file, and the
// functions that all files use.
#pragma once

#include "app/base/report.h"
#include "app/picture/renderer.h"
#include "app/settings/settings.h"
#include "app/viewer/files/exporter.h"
#include "app/viewer/files/undo.h"
#include "app/viewer/files/watch.h"
#include "app/viewer/forms/forms.h"
#include "app/viewer/methods/auto_times.h"
#include "app/viewer/methods/measurement.h"
#include "app/viewer/panel/ui_draw.h"
#include "app/viewer/schedule.h"
#include "app/viewer/trace.h"
#include "app/viewer/viewer_params.h"
#include "app/viewer/window/shown.h"
#include "app/viewer/window/swapchain.h"
#include "app/viewer/window/window.h"
#include "app/viewer/work/cast_times.h"
#include "app/viewer/work/document.h"
#include "app/viewer/work/drafts.h"
#include "app/viewer/work/kept_hits.h"
#include "app/viewer/work/surfaces.h"
#include "compute/casting/cast_pass.h"
#include "compute/extraction/parts.h"
#include "volumes/base/output.h"

// What the window shows, and what draws it. room.c decides how fine the picture is.
struct screen {
    struct window *window;
    struct swapchain swapchain;
    struct renderer renderer;
    struct picture picture;
    struct shown shows;
    VkFormat format; // of the images that shows and ui_draw were made for
    struct ui *ui;
    struct ui_draw ui_draw;
    double interval;     // see struct situation
    bool shown;          // the window is visible
    bool hidden;         // there is no window to draw in: it is minimised
    bool stuck;          // the last frame could not be started
    bool blank;          // nothing has been drawn into the picture yet
    bool coarse;         // the picture is coarse
    bool coarsened;      // coarse by picture_memory_coarsen
    bool no_light;       // there was no memory for it
    uint64_t coarse_for; // largest device memory of a surface since then
    uint64_t refused_at; // device memory in use when there was no memory for a (finer) picture
};

// The one frame in flight.
struct frame {
    VkCommandBuffer cmd;
    VkFence fence;
    struct stopwatch timer;
    bool in_flight;
    bool extracting; // it makes surfaces[target]: the hidden surface,
    bool moving;     // or the shown one, if only its vertices move
    bool anew;       // does not reuse results of the step before
    bool fresh;      // buffers were allocated for it
    bool rays;       // rays are drawn, not the surface
    uint32_t target;
    struct surface_settings made; // the settings of the surface in the frame
    bool draws_panel;
    bool draws_full; // draws the scene in full, not as a draft
    uint32_t image;  // index of the window's image
    double acquired; // clock_ms when the image was acquired
    double cpu_ms;
    uint32_t width, height;
};

// A cast over the parts of a volume, between frames. casts.c.
struct casts_parts {
    struct cast_pass pass;    // without parts: none is running
    struct view view;         // that it is, or was, for,
    VkRect2D area;            // in this part of the window,
    enum due_picture picture; // as a draft or in full
    struct cast cast;
    struct cast_place place;
    struct cast_times times; // of the cast
    double began;            // in clock_ms
    bool there;              // the casting has its hits,
    bool drawn;              // and they have been drawn
    bool outdated;           // the view has other rays; casts_look finds it
    bool again;              // it was begun again, with more room
};

// Rays in place of the surface. casts.c.
struct casts {
    struct casting casting;        // empty where none is drawn
    uint64_t cubes;                // serial of those that it was made with
    const struct caster *caster;   // of the view that it was prepared for,
    const struct method *method;   // and method,
    const struct method *prepared; // or what runs in its place; NULL: the default
    struct cast cast;              // that was recorded last
    struct cast kept;              // of the whole picture whose bands are kept
    struct kept_hits keep;         // what its rays have hit
    struct casts_parts parts;      // in place of both, where the volume is in parts
    struct cast shown; // of the picture in full that is shown or being drawn; empty: it is a draft
    bool steady;       // the view's picture has the rays of one of these
    struct drafts drafts;
    uint32_t rows;      // of the picture in full that have been drawn, from the top; 0: a draft was
    uint32_t cast_rows; // of those, what the last cast was for; 0: a draft
    bool recorded;      // the frame in flight draws rays,
    bool anew;          // and casts them,
    bool complete;      // and its picture, or draft, is complete with it
    bool is_new;        // rays were cast for this picture, or draft
    struct cast_times so_far; // of it
    struct cast_times last;   // of the last picture or draft that was complete
};

// A surface, or the mesh of the shown surface, that is made part by part between frames.
struct surface_work {
    struct extract *extract; // NULL: nothing is being made
    struct query query;
    struct surface_list kept;        // of the surface, so far
    struct extraction_result result; // the same
    struct mesh_join join;           // of the mesh so far
};

// Files that are being opened, or watched.
struct open {
    struct loader *loader;       // NULL: nothing is being read
    struct document *document;   // being uploaded to the device; NULL: none
    struct extract *extract;     // uploads it
    double read_ms;              // time of reading it
    bool cancelled;              // the person cancelled it
    struct volume_params params; // how it is read
    bool with_options;           // read it with the options of the command line
    bool resuming;               // it was open before a device was lost: settings stay
    char *place;                 // path of the last requested file; its neighbours are opened next
    struct raw_file unsized;     // a form must ask about it
    int stepping;                // -1 or +1: Left or Right requested it; 0: neither
    struct source_files files;   // that were read last
    struct watch watch;          // of the open volume's files
    bool in_folder;              // a folder was requested: it is the first file
    uint32_t steps_left;         // how many further files of the folder may be opened
    uint32_t stepped_over;       // how many unreadable files were skipped
};

// A session that was opened in the window.
struct opened_session {
    struct session_file file;
    struct stated stated;
};

// Sessions: the one whose volume is being read, the one that waits for a missing volume, and the
// one of the open volume; NULL where there is none. store.c.
struct store {
    struct opened_session *loading, *asks, *shown;
    const struct session_file *waits; // for its volume: of `asks`, or that of the command line
    bool needs_form;                  // the form that asks is not shown yet
    struct problem why;               // what is said if it waits in vain
    const struct session_file *own;   // of the open volume: `shown`, or that of the command line
    char *path;                       // where the next session is written; NULL: to a new file
    bool recalled;                    // the volume was shown as it was left last time
};

struct saver {
    char path[OUTPUT_PLACED];  // of the mesh that was requested last
    struct exporter *exporter; // NULL: no mesh is being written
    bool has_mesh;             // a mesh waits for the exporter:
    struct mesh mesh;
};

// The state of mouse gestures and of the sweep.
struct hand {
    int drag; // enum window_button + 1 while the mouse moves the camera; 0: none
    int drag_mods;
    bool sizing; // the mouse drags the edge of the panel
    float cursor[2];
    double sweep_phase, sweep_time;
};

// The subject of a message that disappears by itself.
enum about {
    ABOUT_OTHERS,
    ABOUT_SURFACE, // has no memory: removed with the next surface that has
    ABOUT_TYPED,   // is no isovalue: removed with the next one that is
    ABOUT_PICTURE, // has no memory: removed with the next picture that has
};

struct message {
    char text[1000];
    bool is_error;
    enum about about;
    double until; // 0: until the next message
};

struct viewer {
    const struct viewer_params *params;
    struct trace *trace;
    struct gpu gpu;
    struct settings settings;  // set by the person
    struct document *document; // the open volume; NULL: none
    struct undo undo;          // of the view
    struct schedule schedule;  // what has been begun and what is still to be done
    struct screen screen;
    struct frame frame;
    struct casts casts;
    struct surface_work making;
    struct open opening;
    struct store store;
    struct forms forms;
    struct saver saving;
    struct auto_times calibrating;
    struct measurement comparing;
    struct hand hand;
    struct message message;
    struct meters meters;
    struct problem nothing_opened; // why no volume could be opened; kind 0 after one was
};

void viewer_say(struct viewer *viewer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void viewer_complain(struct viewer *viewer, const struct problem *problem);
void viewer_unsay(struct viewer *viewer);

const char *viewer_refuses(const struct viewer *viewer, const struct method *method);
bool viewer_next_method(struct viewer *viewer, int step); // to one that can run; false: none can

// Measuring all methods has ended: the lists on the device are those of the last method, so the
// view's own makes them again.
void viewer_measured(struct viewer *viewer);

void viewer_show(struct viewer *viewer);                    // shows the window, once
VkRect2D viewer_area(const struct viewer *viewer);          // the part of the window with the scene
void viewer_redraw(struct viewer *viewer);                  // the scene has changed
void viewer_scale_text(struct viewer *viewer, float scale); // a factor to the display's own scale

// The state of the window, for the schedule.
struct situation viewer_situation(const struct viewer *viewer);
// Whether a frame can cast the rays of the view: they are wanted, and casts_fit has made what they
// need.
bool viewer_casts(const struct viewer *viewer);
bool viewer_wants_surface(const struct viewer *viewer); // another than the one that was begun last
struct due viewer_due(struct viewer *viewer);

// Call it when the surface of the view is begun.
void viewer_begin_surface(struct viewer *viewer);
// Milliseconds of a step or a cast, for the panel's chart.
void viewer_remember_times(struct viewer *viewer, double ms);
// Call it when a new surface is complete and shown. `fresh`: buffers were allocated for its step.
// `repeat`: it may be made again to measure its time.
void viewer_remember_surface(struct viewer *viewer, bool fresh, bool repeat);
