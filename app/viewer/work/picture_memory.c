#include "app/viewer/work/picture_memory.h"

#include "app/viewer/methods/auto_times.h"
#include "app/viewer/work/surfaces.h"

#include <stdio.h>

static const uint64_t PANEL_BYTES = 4 << 20; // for larger text and longer lists
static const uint32_t RESERVE_SHARE =
    4; // at most a quarter of the budget is reserved for larger windows

static struct picture_params
picture_memory_picture_params(const struct works *works, VkExtent2D extent)
{
    return (struct picture_params){
        .width = extent.width,
        .height = extent.height,
        .format = works->display.renderer.format,
        .samples = works->display.renderer.samples,
        .sampled = true,
    };
}

// The memory for the picture of the largest window. This window fills the largest monitor, or has
// four times the present number of pixels, whichever needs more memory.
static uint64_t picture_memory_largest_picture(const struct works *works)
{
    const uint32_t limit = works->gpu->properties.limits.maxImageDimension2D;
    const VkExtent2D now = works->extent;
    VkExtent2D sizes[2] = { { 2 * now.width, 2 * now.height }, { 0, 0 } };
    window_largest(&sizes[1].width, &sizes[1].height);
    uint64_t most = 0;
    for (int i = 0; i < 2; i++) {
        sizes[i].width = sizes[i].width < limit ? sizes[i].width : limit;
        sizes[i].height = sizes[i].height < limit ? sizes[i].height : limit;
        const struct picture_params params = picture_memory_picture_params(works, sizes[i]);
        const uint64_t bytes = sizes[i].width ? picture_bytes(works->gpu, &params) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

// The memory for the rays of this window's picture; 0 if triangles are drawn.
static uint64_t picture_memory_of_rays(const struct works *works, const struct document *document)
{
    const struct view *view = &works->settings->view;
    const VkExtent2D size = works->area.extent;
    const uint32_t rays = cast_bordered(size.width, size.height);
    const uint32_t samples = works->display.renderer.samples;
    const struct gpu *gpu = works->gpu;
    if (view->draw != DRAW_RAYS) {
        return 0;
    }
    return casting_bytes(
               gpu, document->volume.dim, NULL, view_caster(view), view->method, rays, samples) +
           (view_is_transparent(view) ? casting_layers_bytes(gpu, view->method, rays, samples)
                                      : 0) +
           (view->shadow ? shadow_bytes(gpu, rays) : 0);
}

uint64_t picture_memory_reserve(const struct works *works, bool generous)
{
    const struct gpu *gpu = works->gpu;
    const struct document *newest = works->uploading ? works->uploading : works->document;
    const bool lit = generous && newest && works->settings->view.light == LIGHT_OCCLUSION;
    const uint64_t light = lit ? light_bytes(gpu, newest->volume.dim) : 0;
    const uint64_t rays = generous && newest ? picture_memory_of_rays(works, newest) : 0;
    const uint64_t largest = generous ? picture_memory_largest_picture(works) + light + rays : 0;
    const uint64_t most = gpu->budget.limit / RESERVE_SHARE;
    const uint64_t wanted = largest < most ? largest : most;
    if (gpu->budget.limit == 0) {
        return 0;
    }
    // The reserve always covers a coarse picture of this window.
    struct picture_params coarse = picture_memory_picture_params(works, works->extent);
    coarse.coarse = true;
    const uint64_t own = picture_bytes(gpu, &coarse), held = gpu->budget.held[PURPOSE_PICTURE];
    const uint64_t least = own > held ? own : held;
    return (wanted > least ? wanted : least) + PANEL_BYTES;
}

void picture_memory_keep_reserve(struct works *works)
{
    const struct document *newest = works->uploading ? works->uploading : works->document;
    works->gpu->budget.reserve[PURPOSE_PICTURE] = newest ? newest->reserve : 0;
}

bool picture_memory_make(struct works *works)
{
    struct budget *budget = &works->gpu->budget;
    const struct document *document = works->document;
    const uint64_t before = budget->allocated;
    // A surface made by frames needs the whole volume on the device. Parts can be read again.
    const bool whole = document && document_whole(document);
    if (budget_give_up(budget, whole ? GIVE_UP_HIDDEN_SURFACE : GIVE_UP_PARTS)) {
        return true;
    }
    if (document && document->surfaces->in_parts && !works->extract && !works->pass) {
        parts_release(document->parts); // also frees the buffers of extractions
    }
    return budget->allocated < before;
}

// Whether the present picture can stay. A coarse or missing picture is made again when there is
// more free memory on the device. But a finer one waits while a surface is being made, and a
// picture whose surface was given up is kept.
static bool picture_memory_fits(const struct works *works)
{
    const VkExtent2D extent = works->extent;
    const struct picture *picture = &works->display.picture;
    const bool busy = works->extract || works->uploading;
    const bool only_picture = document_has_dropped(works->document);
    const bool hopeless = works->gpu->budget.allocated >= works->display.refused_at;
    if (picture->width != extent.width || picture->height != extent.height) {
        return false;
    }
    if (!picture->resolved.handle) {
        return hopeless;
    }
    return works->display.coarse ? works->display.coarsened || busy || only_picture || hopeless
                                 : !works->display.coarsened;
}

// If there was no memory for a surface, tries it again in a smaller window, whose picture needs
// less.
static void picture_memory_retry_surface(struct works *works, uint64_t picture_before)
{
    const bool smaller = works->gpu->budget.held[PURPOSE_PICTURE] < picture_before;
    if (smaller && !works->extract) {
        works_retry(works);
    }
}

static void picture_memory_note_coarse(struct works *works, const char *why)
{
    works->display.coarse = true;
    if (works->message->is_error && works->message->text[0]) {
        return; // an error, such as that there is no surface, says more and stays
    }
    message_say(works->message, "%s", why);
    works->message->about = ABOUT_PICTURE;
}

bool picture_memory_fit_picture(struct works *works, struct problem *problem)
{
    struct gpu *gpu = works->gpu;
    struct picture *picture = &works->display.picture;
    struct picture_params params = picture_memory_picture_params(works, works->extent);
    const uint64_t before = gpu->budget.held[PURPOSE_PICTURE];
    struct problem why;
    if (picture_memory_fits(works)) {
        return true;
    }
    picture_destroy(gpu, picture);
    works->display.blank = true;
    works->display.coarse = works->display.coarsened = false;
    works_lose_picture(works);
    works_redraw(works);
    if (works->message->about == ABOUT_PICTURE) {
        message_unsay(works->message);
    }
    do {
        if (picture_create(gpu, &params, picture, &why)) {
            picture_memory_retry_surface(works, before);
            return true;
        }
    } while (why.kind == PROBLEM_DEVICE_MEMORY && picture_memory_make(works));
    params.coarse = true;
    if (problem_of_size(why.kind) && picture_create(gpu, &params, picture, &why)) {
        works->display.refused_at = gpu->budget.allocated;
        picture_memory_note_coarse(
            works, "In a window of this size the device only has memory for coarse edges.");
        picture_memory_retry_surface(works, before);
        return true;
    }
    if (!problem_of_size(why.kind)) {
        return problem_set(problem, why.kind, "%s", why.text);
    }
    picture->width = params.width; // the size of the window for which there is no picture
    picture->height = params.height;
    works->display.refused_at = gpu->budget.allocated;
    struct problem shown;
    problem_set(
        &shown, PROBLEM_DEVICE_MEMORY,
        "There is no memory for the picture of a window of %ux%u (%s): %s.", params.width,
        params.height, why.text, picture_memory_advice(works));
    message_complain(works->message, &shown, ABOUT_PICTURE);
    return true;
}

void picture_memory_fit_light(struct works *works)
{
    struct light *light = &works->display.renderer.light;
    const struct document *document = works->document;
    struct problem why;
    if (!document || works->settings->view.light == LIGHT_OFF || works->display.coarse) {
        light_clear(works->gpu, light);
        return;
    }
    const bool dark = works->display.no_light;
    works->display.no_light = !light_fit(works->gpu, light, &document->cubes, &why);
    if (works->display.no_light && !dark && !works->message->is_error) {
        message_say(works->message, "The device has no memory for the light (%s).", why.text);
        works->message->about = ABOUT_PICTURE;
    }
}

void picture_memory_refuse(struct works *works, const struct problem *why)
{
    message_complain(works->message, why, ABOUT_SURFACE);
    schedule_refuse(works->schedule);
    picture_memory_refine(works); // a coarse picture did not help
}

const char *picture_memory_advice(const struct works *works)
{
    return works->params->memory_budget ? "use a smaller window, or raise --memory-budget"
                                        : "use a smaller window";
}

void picture_memory_explain(
    const struct works *works, const struct problem *why, struct problem *out)
{
    const struct view *view = &works->settings->view;
    const uint32_t contour = works->schedule->contour;
    char surface[80] = "This surface";
    if (view->further > 0) {
        snprintf(
            surface, sizeof surface, "The surface at %.7g (contour %u of %u)", view->isos[contour],
            contour + 1, view_contours(view));
    }
    *out = *why;
    if (why->kind == PROBLEM_LIMIT) {
        problem_set(
            out, why->kind, "%s does not fit the device%s (%s): use another isovalue.", surface,
            works->document->surfaces->in_parts ? ", not even made part by part" : "", why->text);
    } else if (why->kind == PROBLEM_DEVICE_MEMORY) {
        problem_set(
            out, why->kind,
            "%s does not fit the device's memory%s (%s): %s; or use another isovalue%s.", surface,
            works->document->surfaces->in_parts ? ", not even made part by part" : "", why->text,
            picture_memory_advice(works),
            works->settings->view.every_brick ? ", or skip bricks" : "");
    }
}

bool picture_memory_coarsen(struct works *works)
{
    struct picture *picture = &works->display.picture;
    if (picture->samples <= VK_SAMPLE_COUNT_1_BIT || works->gpu->lost) {
        return false;
    }
    picture_coarsen(works->gpu, picture);
    light_clear(works->gpu, &works->display.renderer.light);
    works->display.coarsened = true;
    works->display.coarse_for = 0;
    picture_memory_note_coarse(
        works, "The picture has coarse edges, because a finer one leaves too little memory.");
    return true;
}

static bool picture_memory_give_up_samples(void *user)
{
    return picture_memory_coarsen(user);
}

void picture_memory_offer(struct works *works)
{
    budget_offer(
        &works->gpu->budget, GIVE_UP_PICTURE_SAMPLES, picture_memory_give_up_samples, works);
}

uint64_t picture_memory_coarse_gain(const struct works *works)
{
    struct picture_params params = picture_memory_picture_params(works, works->extent);
    if (works->display.picture.samples <= VK_SAMPLE_COUNT_1_BIT) {
        return 0;
    }
    const uint64_t fine = picture_bytes(works->gpu, &params);
    params.coarse = true;
    return fine - picture_bytes(works->gpu, &params) + light_held(&works->display.renderer.light);
}

void picture_memory_refine(struct works *works)
{
    if (works->display.coarsened) {
        works->display.coarsened = false;
        works->display.refused_at = UINT64_MAX;
        works_redraw(works);
    }
}

void picture_memory_refine_for_less(struct works *works)
{
    const uint64_t held = works->gpu->budget.held[PURPOSE_SURFACE];
    if (held > works->display.coarse_for) {
        works->display.coarse_for = held;
    } else if (held < works->display.coarse_for / 2) {
        picture_memory_refine(works);
    }
}

void picture_memory_fit_planes(struct works *works, struct scene *scene)
{
    struct renderer *renderer = &works->display.renderer;
    const struct picture *picture = &works->display.picture;
    const uint64_t pixels = (uint64_t)picture->width * picture->height;
    struct problem why;
    const bool in_parts = !scene->atlas;
    if (!renderer_prepare(renderer, scene, pixels, &why)) {
        scene->atlas = NULL;
        renderer_prepare(renderer, scene, pixels, &why); // what cuts takes little memory
    }
    const uint32_t lacks = scene->atlas                     ? 0
                           : view_has_sections(scene->view) ? 2
                                                            : view_has_planes(scene->view);
    if (lacks > works->display.no_planes) {
        message_say(
            works->message, "Caps and samples are not drawn: %s.",
            in_parts ? "the device holds the volume in parts" : why.text);
    }
    works->display.no_planes = lacks;
    if (!view_has_planes(scene->view)) {
        section_destroy(works->gpu, &renderer->section);
    }
}
