#include "app/viewer/work/picture_memory.h"

#include "app/viewer/methods/auto_times.h"
#include "app/viewer/work/surfaces.h"

static const uint64_t PANEL_BYTES = 4 << 20; // for larger text and longer lists
static const uint32_t RESERVE_SHARE =
    4; // of the budget: at most this part is reserved for larger windows

static struct picture_params
picture_memory_picture_params(const struct viewer *viewer, VkExtent2D extent)
{
    return (struct picture_params){
        .width = extent.width,
        .height = extent.height,
        .format = viewer->screen.renderer.format,
        .samples = viewer->screen.renderer.samples,
        .sampled = true,
    };
}

// The memory for the picture of the largest window: one that fills the largest monitor, or has four
// times the present number of pixels.
static uint64_t picture_memory_largest_picture(const struct viewer *viewer)
{
    const uint32_t limit = viewer->gpu.properties.limits.maxImageDimension2D;
    const VkExtent2D now = viewer->screen.swapchain.extent;
    VkExtent2D sizes[2] = { { 2 * now.width, 2 * now.height }, { 0, 0 } };
    window_largest(&sizes[1].width, &sizes[1].height);
    uint64_t most = 0;
    for (int i = 0; i < 2; i++) {
        sizes[i].width = sizes[i].width < limit ? sizes[i].width : limit;
        sizes[i].height = sizes[i].height < limit ? sizes[i].height : limit;
        const struct picture_params params = picture_memory_picture_params(viewer, sizes[i]);
        const uint64_t bytes = sizes[i].width ? picture_bytes(&viewer->gpu, &params) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

// The memory for rays of this window's picture, if they are drawn.
static uint64_t picture_memory_of_rays(const struct viewer *viewer, const struct document *document)
{
    const struct view *view = &viewer->settings.view;
    const VkExtent2D size = viewer_area(viewer).extent;
    const uint32_t rays = cast_bordered(size.width, size.height);
    return view->draw == DRAW_RAYS
               ? casting_bytes(
                     &viewer->gpu, document->volume.dim, NULL, view_caster(view), view->method,
                     rays, viewer->screen.renderer.samples) +
                     (view->shadow ? shadow_bytes(&viewer->gpu, rays) : 0)
               : 0;
}

uint64_t picture_memory_reserve(const struct viewer *viewer, bool generous)
{
    const struct gpu *gpu = &viewer->gpu;
    const struct document *newest =
        viewer->opening.document ? viewer->opening.document : viewer->document;
    const bool lit = generous && newest && viewer->settings.view.light == LIGHT_OCCLUSION;
    const uint64_t light = lit ? light_bytes(gpu, newest->volume.dim) : 0;
    const uint64_t rays = generous && newest ? picture_memory_of_rays(viewer, newest) : 0;
    const uint64_t largest = generous ? picture_memory_largest_picture(viewer) + light + rays : 0;
    const uint64_t most = gpu->budget.limit / RESERVE_SHARE;
    const uint64_t wanted = largest < most ? largest : most;
    if (gpu->budget.limit == 0) {
        return 0;
    }
    // The reserve always covers a coarse picture of this window.
    struct picture_params coarse =
        picture_memory_picture_params(viewer, viewer->screen.swapchain.extent);
    coarse.coarse = true;
    const uint64_t own = picture_bytes(gpu, &coarse), held = gpu->budget.held[PURPOSE_PICTURE];
    const uint64_t least = own > held ? own : held;
    return (wanted > least ? wanted : least) + PANEL_BYTES;
}

void picture_memory_keep_reserve(struct viewer *viewer)
{
    const struct document *newest =
        viewer->opening.document ? viewer->opening.document : viewer->document;
    viewer->gpu.budget.reserve[PURPOSE_PICTURE] = newest ? newest->reserve : 0;
}

bool picture_memory_make(struct viewer *viewer)
{
    struct budget *budget = &viewer->gpu.budget;
    const struct document *document = viewer->document;
    const uint64_t before = budget->allocated;
    // A surface made by frames needs the whole volume on the device. Parts can be read again.
    const bool whole = document && document_whole(document);
    if (budget_give_up(budget, whole ? GIVE_UP_HIDDEN_SURFACE : GIVE_UP_PARTS)) {
        return true;
    }
    if (document && document->surfaces->in_parts && !viewer->making.extract &&
        !viewer->casts.parts.pass.parts) {
        parts_release(document->parts); // and what they are worked on with
    }
    return budget->allocated < before;
}

// Whether the present picture can stay. A coarse or missing picture is made again when there is
// more free memory on the device. But a finer one waits while a surface is being made, and a
// picture whose surface was given up is kept.
static bool picture_memory_fits(const struct viewer *viewer)
{
    const VkExtent2D extent = viewer->screen.swapchain.extent;
    const struct picture *picture = &viewer->screen.picture;
    const bool busy = viewer->making.extract || viewer->opening.document;
    const bool only_picture = document_has_dropped(viewer->document);
    const bool hopeless = viewer->gpu.budget.allocated >= viewer->screen.refused_at;
    if (picture->width != extent.width || picture->height != extent.height) {
        return false;
    }
    if (!picture->resolved.handle) {
        return hopeless;
    }
    return viewer->screen.coarse ? viewer->screen.coarsened || busy || only_picture || hopeless
                                 : !viewer->screen.coarsened;
}

// If there was no memory for a surface, tries it again in a smaller window, whose picture needs
// less.
static void picture_memory_retry_surface(struct viewer *viewer, uint64_t picture_before)
{
    const bool smaller = viewer->gpu.budget.held[PURPOSE_PICTURE] < picture_before;
    if (smaller && viewer->schedule.refused && !viewer->making.extract) {
        schedule_again(&viewer->schedule);
    }
}

static void picture_memory_note_coarse(struct viewer *viewer, const char *why)
{
    viewer->screen.coarse = true;
    if (viewer->message.is_error && viewer->message.text[0]) {
        return; // an error, such as that there is no surface, says more and stays
    }
    viewer_say(viewer, "%s", why);
    viewer->message.about = ABOUT_PICTURE;
}

bool picture_memory_fit_picture(struct viewer *viewer, struct problem *problem)
{
    struct gpu *gpu = &viewer->gpu;
    struct picture *picture = &viewer->screen.picture;
    struct picture_params params =
        picture_memory_picture_params(viewer, viewer->screen.swapchain.extent);
    const uint64_t before = gpu->budget.held[PURPOSE_PICTURE];
    struct problem why;
    if (picture_memory_fits(viewer)) {
        return true;
    }
    picture_destroy(gpu, picture);
    viewer->screen.blank = true;
    viewer->casts.shown = (struct cast){ 0 }; // it was in this picture
    viewer->screen.coarse = viewer->screen.coarsened = false;
    if (document_has_dropped(viewer->document)) {
        viewer->document->surfaces->only_picture =
            false;                            // its picture does not fit the window any more
        viewer->document->has_result = false; // and nothing else is left
        if (!viewer->making.extract) {        // the surface that is being made is shown next
            schedule_again(&viewer->schedule);
        }
    }
    viewer_redraw(viewer);
    if (viewer->message.about == ABOUT_PICTURE) {
        viewer_unsay(viewer);
    }
    do {
        if (picture_create(gpu, &params, picture, &why)) {
            picture_memory_retry_surface(viewer, before);
            return true;
        }
    } while (why.kind == PROBLEM_DEVICE_MEMORY && picture_memory_make(viewer));
    params.coarse = true;
    if (problem_of_size(why.kind) && picture_create(gpu, &params, picture, &why)) {
        viewer->screen.refused_at = gpu->budget.allocated;
        picture_memory_note_coarse(
            viewer, "In a window of this size the device only has memory for coarse edges.");
        picture_memory_retry_surface(viewer, before);
        return true;
    }
    if (!problem_of_size(why.kind)) {
        return problem_set(problem, why.kind, "%s", why.text);
    }
    picture->width = params.width; // these say for which size there is no picture
    picture->height = params.height;
    viewer->screen.refused_at = gpu->budget.allocated;
    struct problem shown;
    problem_set(
        &shown, PROBLEM_DEVICE_MEMORY,
        "There is no memory for the picture of a window of %ux%u (%s): %s.", params.width,
        params.height, why.text, picture_memory_advice(viewer));
    viewer_complain(viewer, &shown);
    viewer->message.about = ABOUT_PICTURE;
    return true;
}

void picture_memory_fit_light(struct viewer *viewer)
{
    struct light *light = &viewer->screen.renderer.light;
    const struct document *document = viewer->document;
    struct problem why;
    if (!document || viewer->settings.view.light == LIGHT_OFF || viewer->screen.coarse) {
        light_clear(&viewer->gpu, light);
        return;
    }
    const bool dark = viewer->screen.no_light;
    viewer->screen.no_light = !light_fit(&viewer->gpu, light, &document->cubes, &why);
    if (viewer->screen.no_light && !dark && !viewer->message.is_error) {
        viewer_say(viewer, "The device has no memory for the light (%s).", why.text);
        viewer->message.about = ABOUT_PICTURE;
    }
}

void picture_memory_refuse(struct viewer *viewer, const struct problem *why)
{
    viewer_complain(viewer, why);
    viewer->message.about = ABOUT_SURFACE;
    schedule_refuse(&viewer->schedule);
    picture_memory_refine(viewer); // a coarse picture did not help
}

const char *picture_memory_advice(const struct viewer *viewer)
{
    return viewer->params->memory_budget ? "use a smaller window, or raise --memory-budget"
                                         : "use a smaller window";
}

void picture_memory_explain(
    const struct viewer *viewer, const struct problem *why, struct problem *out)
{
    *out = *why;
    if (why->kind == PROBLEM_LIMIT) {
        problem_set(
            out, why->kind, "This surface does not fit the device%s (%s): use another isovalue.",
            viewer->document->surfaces->in_parts ? ", not even made part by part" : "", why->text);
    } else if (why->kind == PROBLEM_DEVICE_MEMORY) {
        problem_set(
            out, why->kind,
            "This surface does not fit the device's memory%s (%s): %s; or use another isovalue%s.",
            viewer->document->surfaces->in_parts ? ", not even made part by part" : "", why->text,
            picture_memory_advice(viewer),
            viewer->settings.view.every_brick ? ", or skip bricks" : "");
    }
}

bool picture_memory_coarsen(struct viewer *viewer)
{
    struct picture *picture = &viewer->screen.picture;
    if (picture->samples <= VK_SAMPLE_COUNT_1_BIT || viewer->gpu.lost) {
        return false;
    }
    picture_coarsen(&viewer->gpu, picture);
    light_clear(&viewer->gpu, &viewer->screen.renderer.light);
    viewer->screen.coarsened = true;
    viewer->screen.coarse_for = 0;
    picture_memory_note_coarse(
        viewer, "The picture has coarse edges, because a finer one leaves too little memory.");
    return true;
}

static bool picture_memory_give_up_samples(void *user)
{
    return picture_memory_coarsen(user);
}

void picture_memory_offer(struct viewer *viewer)
{
    budget_offer(
        &viewer->gpu.budget, GIVE_UP_PICTURE_SAMPLES, picture_memory_give_up_samples, viewer);
}

uint64_t picture_memory_coarse_gain(const struct viewer *viewer)
{
    struct picture_params params =
        picture_memory_picture_params(viewer, viewer->screen.swapchain.extent);
    if (viewer->screen.picture.samples <= VK_SAMPLE_COUNT_1_BIT) {
        return 0;
    }
    const uint64_t fine = picture_bytes(&viewer->gpu, &params);
    params.coarse = true;
    return fine - picture_bytes(&viewer->gpu, &params) + light_held(&viewer->screen.renderer.light);
}

void picture_memory_refine(struct viewer *viewer)
{
    if (viewer->screen.coarsened) {
        viewer->screen.coarsened = false;
        viewer->screen.refused_at = UINT64_MAX;
        viewer_redraw(viewer);
    }
}

void picture_memory_refine_for_less(struct viewer *viewer)
{
    const uint64_t held = viewer->gpu.budget.held[PURPOSE_SURFACE];
    if (held > viewer->screen.coarse_for) {
        viewer->screen.coarse_for = held;
    } else if (held < viewer->screen.coarse_for / 2) {
        picture_memory_refine(viewer);
    }
}
