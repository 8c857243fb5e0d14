// The document: the open volume, its parts, the surfaces made of it, and their numbers. It needs a
// device, but neither window nor user interface.
#pragma once

#include "app/settings/view.h"
#include "app/viewer/methods/step_history.h"
#include "compute/casting/casting.h"
#include "compute/extraction/parts.h"
#include "volumes/formats/volume_file.h"

struct surfaces;

// Surfaces on the device that together are one surface.
struct surface_list {
    struct surface *list;
    uint32_t count;
};

// What a contour shows. Only this folder uses the members after `result`.
struct shown_surface {
    bool has_result; // the surface is complete; `result` describes it
    struct extraction_result result;
    uint32_t slot;                // of `slots` if it was made by a frame: see surfaces.h
    struct surface_list list;     // made part by part
    struct extract_totals totals; // of the extraction of `list`
    bool only_picture;            // given up for lack of memory; only its picture is left
    bool unseen;                  // the picture does not need it, so it may be given up at any time
    bool lost;                    // it was given up: it is due again when it is needed
};

// The result of reading. Release with loaded_destroy.
struct loaded {
    struct volume volume; // without samples if they stay in the file
    struct volume_facts facts;
    struct cubes cubes;
    struct volume_file file;    // open if the samples stay in it, else closed
    struct contents contents;   // what the file holds
    char *array;                // the name of the array that was asked for; NULL: none
    char *notes;                // what was said of the file, a line each; NULL: nothing
    struct slice_range *ranges; // of the slices if `file` is open, else NULL
};

void loaded_destroy(struct loaded *loaded);

// Do not move it: the budget has its address.
struct document {
    struct gpu *gpu;
    char *path;                  // NULL: the generated volume
    const char *name;            // the path's last part, for people
    struct volume_params params; // how the file was read; document_set_params
    struct contents contents;    // what the file holds
    char *array;                 // params.pick.array
    char *notes;                 // what was said of the file, a line each; NULL: nothing
    struct volume volume;        // with samples only if parts may need them and no file has them
    struct volume_facts facts;
    struct cubes cubes; // of the whole volume
    struct placement placement;
    struct volume_file file; // closed if the samples are not read from it
    struct slice_range *ranges;
    struct parts *parts;
    uint64_t reserve; // device memory that the volume leaves to the picture
    bool uses_times;  // the whole volume's extraction uses measured times

    struct shown_surface *shown; // of the contour that is selected, or worked on
    struct surfaces *surfaces;   // see surfaces.h, which only this folder includes

    struct step_history times; // of the methods' steps on this volume
};

// Takes over what was loaded from `path` (NULL: generated). Nothing is on the device yet. The
// caller fills `placement`. NULL with PROBLEM_HOST_MEMORY. Offers its device memory to
// budget_give_up.
struct document *
document_create(struct gpu *gpu, const char *path, struct loaded *loaded, struct problem *problem);
// Stores how the file was read. params.pick.array becomes document->array, which lives as long as
// the document.
void document_set_params(struct document *document, const struct volume_params *params);
void document_destroy(struct document *document); // NULL is allowed; no extraction may be running

// The last component of a path: a pointer into it.
const char *document_file_name(const char *path);
// The name without its extension, for names of files.
void document_stem(const struct document *document, char *out, size_t size);

// The parameters to divide the volume into parts, with the times that `auto` uses. The times may be
// NULL; they must outlive the document.
struct parts_params document_parts_params(const struct document *document, const struct times *);

// Opens the document's parts. Closes those that it had before.
bool document_open_parts(
    struct document *document, const struct parts_params *params, struct problem *problem);

// Call it after the upload, or at once if there is none. Frees the samples in host memory if only
// the device needs them from here on. Returns the atlas that holds the whole volume. NULL: parts of
// the volume will be read as needed.
const struct atlas *document_arrive(struct document *document);

// Whether this casting is for the volume as the device holds it now. `document` may be NULL.
bool document_casts(const struct document *document, const struct casting *casting);

// Whether the surface of any contour is complete.
bool document_shows_any(const struct document *document);
// Whether a shown surface was given up for lack of memory: at most its picture is left. NULL is
// allowed.
bool document_has_dropped(const struct document *document);
// The totals of the shown surface's extraction if it was made part by part; else NULL.
const struct extract_totals *document_totals(const struct document *document);

// Whether a single step of a method can be made, in a frame or to be measured. It can if the device
// holds the volume in one part. NULL is allowed.
bool document_steps(const struct document *document);
// Makes a whole step, which reuses nothing, into the hidden surface, and waits for it. Only if
// document_steps is true. Results and errors: as extraction_attempt.
bool document_attempt(
    struct document *document, const struct method *method, double iso, bool every_brick,
    struct extraction_result *result, struct problem *problem);
// From now on the method `auto` uses these times, if document_steps is true. They must outlive the
// document. NULL: there are none yet.
void document_use_times(struct document *document, const struct times *times);

// NULL if the method can make every surface of this volume; otherwise the reason, for people.
// `document` may be NULL.
const char *document_refuses(
    const struct document *document, const struct gpu *gpu, const struct method *method);

// The surfaces of a contour to draw, as an array. *further: how many follow the first one. NULL:
// none.
const struct surface *
document_shown(const struct document *document, uint32_t contour, uint32_t *further);

// Gets the lists of the step that made the shown surface. False: they are not on the device.
bool document_lists(const struct document *document, struct extraction_lists *out);

// Call it when a new surface is complete and shown. Keeps the times of its step. They do not count
// if the step was the method's first, or `fresh`: buffers were allocated for it. True if the step
// should be made again to measure it.
bool document_remember_time(struct document *document, bool fresh);

// The isovalue's key (struct atlas_iso) for these samples.
uint32_t document_key(const struct document *document, double iso);
// The times of the method's steps at this isovalue.
struct step_summary
document_times(const struct document *document, const struct method *method, double iso);
void document_forget_times(struct document *document);

// ---- for the works ----

// From here on `shown` is the surface of this contour.
void document_select(struct document *document, uint32_t contour);
// Contour i has the surface that contour from[i] had, and the view's contour is selected. Frees the
// surfaces of contours that the view does not have, and notes which ones the picture does not need.
void document_arrange(
    struct document *document, const struct view *view, const uint32_t from[CONTOURS_MOST]);

// The extraction whose steps frames record, if the volume is one part on the device; else NULL.
struct extraction *document_whole(const struct document *document);

// Frees the surface of a contour that the picture does not need. False: there is none.
bool document_lose_unseen(struct document *document);

// From now on surfaces are made part by part, not by frames. Each shown surface becomes the only
// one in its list. False: the host has no memory for the lists.
bool document_strip(struct document *document);

// Shows a list of surfaces instead of the shown surface. The document owns the list from here on.
void document_show(
    struct document *document, struct surface_list *list, const struct extraction_result *result,
    const struct extract_totals *totals);

// Whether the method's next step must be made in full only to measure its time.
bool document_is_to_be_timed(const struct document *document, const struct extraction_step *step);

void surface_list_destroy(struct gpu *gpu, struct surface_list *list);
