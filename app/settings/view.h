// The view: all that a person chooses for the picture of a volume. The window changes it by keys,
// mouse and panel; `cubist render` fills it from its options; the renderer reads it. Nothing in it
// belongs to a device or a volume, so it outlives both.
#pragma once

#include "app/base/isovalue.h"
#include "app/settings/camera.h"
#include "app/settings/colour.h"
#include "app/settings/plane.h"
#include "app/settings/pose.h"
#include "shaders/shared/casting.h"
#include "volumes/cubes.h"

struct method; // of compaction
struct caster; // of rays

// The camera that options ask for. The volume, which decides its position, comes later. Zeroed: the
// camera of a window that has just opened.
struct view_start {
    bool has_direction;
    double azimuth, elevation; // degrees: to the right of the front, above the horizon
    float zoom;                // magnification relative to a camera that sees everything; 0 means 1
    bool has_pose;             // `pose` replaces the members above
    struct pose pose;
};

enum background {
    BACKGROUND_DARK, // a gradient
    BACKGROUND_LIGHT,
    BACKGROUND_WHITE,
    BACKGROUND_TRANSPARENT, // in files; the window shows squares
    BACKGROUND_COLOUR,      // view.background_colour
};

extern const char *const background_names[BACKGROUND_COLOUR]; // "dark"

// What the surface seems to be made of: a row of looks in app/picture/renderer.c.
enum look {
    LOOK_BONE,
    LOOK_CLAY, // reddish, without gloss
    LOOK_SCAN, // pale and bright
    LOOKS,
};

extern const char *const look_names[LOOKS]; // "bone"

enum light_kind {
    LIGHT_OCCLUSION, // pictures, except drafts, are darker where surroundings take light
    LIGHT_OFF,
    LIGHTS,
};

// What is shown: the surface, or lists on the device that show how it was made.
enum show {
    SHOW_SURFACE,
    SHOW_BRICKS, // active bricks as boxes
    SHOW_CELLS,  // active cells as points
    SHOW_ORDER,  // active cells, coloured by their position in the list
    SHOW_LEVELS, // the surface, and the levels of the HistoPyramid in a corner
    SHOW_ATLAS,  // the slices as tiles with the active cells in them, and the list of the cells
    SHOWS_MOST,
};

extern const char *const show_names[SHOWS_MOST]; // "bricks"

// How the surface is drawn.
enum draw_kind {
    DRAW_TRIANGLES,
    DRAW_RAYS, // cast through the samples; there is no mesh
    DRAWS,
};

extern const char *const draw_names[DRAWS]; // "triangles"

// What shows where a plane cuts through the solid.
enum cap {
    CAP_SOLID,  // the colour of the contour
    CAP_VALUES, // the samples, in grey
    CAP_NONE,
    CAPS,
};

extern const char *const cap_names[CAPS]; // "solid"

// How samples in grey are found between the grid's samples.
enum interpolation { INTERPOLATE_LINEAR, INTERPOLATE_NEAREST, INTERPOLATIONS };

extern const char *const interpolation_names[INTERPOLATIONS]; // "linear"

// The samples that are black and white. Zeroed: p1 and p99.
struct grey {
    struct isovalue low, high;
};

#define LIGHT_SAMPLES_MOST 256 // rays

extern const char *const light_names[LIGHTS]; // "occlusion"

// A window begins with a zero-initialised view in which isovalue, method and camera are set.
struct view {
    // The contours: each has an isovalue and what belongs to it, at its place in these arrays.
    double isos[CONTOURS_MOST];
    bool auto_isos[CONTOURS_MOST]; // the isovalue is suggested for the volume, and changes with it
    struct colour colours[CONTOURS_MOST]; // of the front; see view_colour
    float transparencies[CONTOURS_MOST];  // 1 - opacity
    bool hidden[CONTOURS_MOST];
    uint32_t further; // number of contours beyond the first one
    uint32_t contour; // the selected one, whose isovalue keys and mouse change
    const struct method *method;
    bool every_brick; // visit all bricks, also those that the isovalue misses
    struct camera camera;
    struct view_start start; // the first camera
    enum up up;              // the volume's default unless `up_is_set`
    bool up_is_set;
    bool wireframe; // only the triangles' edges, no faces
    bool edges;     // the triangles' edges on the faces
    bool flat;      // flat shading: each triangle has its own normal
    bool box;       // the volume's bounding box
    enum background background;
    struct colour background_colour;
    enum look look;
    enum light_kind light;
    uint32_t light_samples; // occlusion rays at each vertex; 0: LIGHT_SAMPLES
    bool shadow;            // of the key light; only with DRAW_RAYS
    enum show show;
    enum draw_kind draw;
    const struct caster *caster; // only with DRAW_RAYS; NULL: the default
    uint32_t rounds;             // number of rounds of casters in rounds: see struct cast
    uint32_t samples;            // per pixel: 1, 2, 4 or 8; 0: 4 where the device has them, else 1
    bool clip_all;               // only what all planes of `clips` remove is removed
    bool clip_off;               // they do nothing
    bool section_off;            // the planes of `sections` show nothing
    enum cap cap;
    struct grey grey; // of sections and caps
    enum interpolation interpolate;
    bool axes;                          // the cross of the world's axes in the corner of the window
    bool scale_bar;                     // a length in the file's unit, beside the axes
    struct plane clips[PLANES_MOST];    // cut the picture
    struct plane sections[PLANES_MOST]; // show the samples
};

const struct caster *view_caster(const struct view *view); // never NULL

// The planes that cut this view, in grid units. With view->clip_off, or without planes, the count
// is 0.
void view_cuts(const struct view *view, const struct placement *placement, struct cuts *out);

bool view_has_sections(const struct view *view); // the planes of `sections` are shown

// Whether the samples of the volume show in the picture: on sections or on caps.
bool view_has_values(const struct view *view);

// Whether grey samples show in the picture, and view_grey needs the facts for them.
bool view_needs_facts(const struct view *view);

// Finds the samples that are black and white. Reads the facts only if the view needs them.
void view_grey(const struct view *view, const struct volume_facts *facts, double out[2]);

// Whether the picture has caps or sections, which need the samples on the device.
bool view_has_planes(const struct view *view);

// The placement of a volume in this view. Sets view->up unless the person has chosen it.
void view_place(struct view *view, const struct volume *volume, struct placement *out);

// The number of contours, and whether a picture shows this one: it does not if the contour is
// hidden or its opacity is 0.
uint32_t view_contours(const struct view *view);
bool view_shows(const struct view *view, uint32_t contour);

// Whether a contour that a picture shows has an opacity below 1.
bool view_is_transparent(const struct view *view);

// The colour of a contour's front. Not set: that of the look, which the first contour has by
// default.
struct colour view_colour(const struct view *view, uint32_t contour);

// The first contour that the picture shows; the first one if it shows none.
uint32_t view_first(const struct view *view);

// Adds a contour after the others in a colour that none has, and selects it. False: there are
// CONTOURS_MOST.
bool view_add(struct view *view, double iso);

// An orbital with both signs, whose only contour has the suggested isovalue: adds a contour for the
// other sign. Its color is blue, as the sides of a surface are that face lower values.
void view_show_signs(
    struct view *view, const struct volume *volume, const struct volume_facts *facts);

// Removes the selected contour unless it is the only one. The others keep their colours.
bool view_remove(struct view *view);

// Moves the camera so that the surfaces that the picture shows fill width x height pixels, and
// keeps its direction. Needs the volume's cubes, but no mesh. If the surfaces are empty, fits the
// volume.
void view_fit_surface(
    struct view *view, const struct placement *placement, const struct cubes *cubes, float width,
    float height);

// Like view_fit_surface, for a film: the camera will turn by `turn` radians (camera_turn_about),
// and the isovalues will go to `ends`. No surface on the way leaves the picture.
void view_fit_motion(
    struct view *view, const struct placement *placement, const struct cubes *cubes,
    const double *ends, float turn, float width, float height);

// Like view_fit_surface, for the volume's box.
void view_fit_volume(
    struct view *view, const struct placement *placement, float width, float height);

// Sets the camera as view->start says, for a picture of width x height pixels. Where that says no
// direction, the camera sees where planes cut. Keeps the projection.
void view_begin(
    struct view *view, const struct placement *placement, const struct cubes *cubes, float width,
    float height);
