// The document: the open volume, its parts, the surfaces made of it, and their numbers. It needs a
// device, but neither window nor user interface.
//
// If the volume fits the device as one part, frames record the extraction's steps, and two surfaces
// take turns. Otherwise the surface is made part by part between frames, and is a list of surfaces.
#pragma once

#include "app/settings/placement.h"
#include "app/viewer/files/loader.h"
#include "app/viewer/methods/step_history.h"
#include "compute/extraction/parts.h"

// Surfaces on the device that together are one surface.
struct document_surfaces {
    struct surface *list;
    uint32_t count;
};

// Do not move it: the budget has its address.
struct document {
    struct gpu *gpu;
    char *path;                  // NULL: the generated volume
    const char *name;            // the path's last part, for people
    struct volume_params params; // how the file was read, as the caller says
    struct volume volume;        // with samples only if parts may need them and no file has them
    struct volume_facts facts;
    struct cubes cubes; // of the whole volume
    struct placement placement;
    struct volume_file file; // closed if the samples are not read from it
    struct slice_range *ranges;
    struct parts *parts;
    uint64_t reserve; // device memory that the volume leaves to the picture
    bool uses_times;  // the whole volume's extraction uses measured times

    bool has_result; // the shown surface is complete; the members after this describe it
    struct extraction_result result;
    struct surface surfaces[2]; // made by frames
    uint32_t shown;             // which of them is shown
    bool in_parts;              // the list is shown instead; it was made part by part
    struct document_surfaces list;
    struct extract_totals totals; // what making it came to
    bool only_picture; // the surface was given up for lack of memory; only its picture is left

    struct step_history times; // of its steps
};

// Takes over what was loaded from `path` (NULL: generated). Nothing is on the device yet. The
// caller fills `placement`. NULL with PROBLEM_HOST_MEMORY. Offers its device memory to
// budget_give_up.
struct document *
document_create(struct gpu *gpu, const char *path, struct loaded *loaded, struct problem *problem);
void document_destroy(struct document *document); // NULL is allowed; no extraction may be running

// How the volume is divided into parts: by the budget, and with the times that `auto` uses (may be
// NULL; they must outlive the document).
struct parts_params document_parts_params(const struct document *document, const struct times *);

// Opens the parts and replaces those before.
bool document_open_parts(
    struct document *document, const struct parts_params *params, struct problem *problem);

// The extraction whose steps frames record, if the volume is one part on the device; else NULL.
struct extraction *document_whole(const struct document *document);

// Frees the samples in host memory. From here on only the device has them.
void document_forget_samples(struct document *document);

// From now on the surface is made part by part, not by frames. The shown surface becomes the list.
// False: the host has no memory for it.
bool document_strip(struct document *document);

// NULL if the method can make every surface of this volume; otherwise the reason, for people.
// `document` may be NULL.
const char *document_refuses(
    const struct document *document, const struct gpu *gpu, const struct method *method);

// The surfaces to draw: the first, and *further more surfaces after it in memory. NULL: none.
const struct surface *document_shown(const struct document *document, uint32_t *further);

// The lists of the step that made the shown surface, if they are on the device.
bool document_lists(const struct document *document, struct extraction_lists *out);

// Shows a list of surfaces instead of the shown surface. The document owns the list from here on.
void document_show(
    struct document *document, struct document_surfaces *list,
    const struct extraction_result *result, const struct extract_totals *totals);

// Call it when a new surface is complete and shown. Keeps the times of its step. They do not count
// if the step was the method's first, or `fresh`: buffers were allocated for it. True if the step
// should be made again to measure it.
bool document_remember_time(struct document *document, bool fresh);

// The isovalue's key (struct atlas_iso) for these samples.
uint32_t document_key(const struct document *document, double iso);
// The times of the method's steps at this isovalue.
struct step_summary
document_times(const struct document *document, const struct method *method, double iso);

// Whether the method's next step must be made in full to measure it, although less would do.
bool document_is_to_be_timed(const struct document *document, const struct extraction_step *step);
void document_forget_times(struct document *document);

void document_surfaces_destroy(struct gpu *gpu, struct document_surfaces *surfaces);
