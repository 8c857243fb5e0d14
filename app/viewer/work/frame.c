#include "app/viewer/work/frame.h"

#include "app/base/progress.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surface_work.h"
#include "app/viewer/work/surfaces.h"
#include "compute/gpu/label.h"

bool frame_create(struct viewer *viewer, struct problem *problem)
{
    struct gpu *gpu = &viewer->gpu;
    struct frame *frame = &viewer->frame;
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VK_TRY(vkAllocateCommandBuffers(gpu->device, &buffer, &frame->cmd));
    const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    VK_TRY(vkCreateFence(gpu->device, &fence, NULL, &frame->fence));
    return stopwatch_create(gpu, &frame->timer, problem);
fail:
    return false;
}

void frame_destroy(struct viewer *viewer)
{
    struct gpu *gpu = &viewer->gpu;
    struct frame *frame = &viewer->frame;
    if (gpu->device && !gpu->lost) {
        vkDestroyFence(gpu->device, frame->fence, NULL); // the pool frees the command buffer
    }
    stopwatch_destroy(gpu, &frame->timer);
    *frame = (struct frame){ 0 };
}

bool frame_finish(struct viewer *viewer, struct problem *problem)
{
    struct gpu *gpu = &viewer->gpu;
    struct frame *frame = &viewer->frame;
    if (!frame->in_flight) {
        return true;
    }
    if (!gpu_wait(gpu, frame->fence, problem)) {
        return false;
    }
    frame->in_flight = false;
    VK_TRY(vkResetFences(gpu->device, 1, &frame->fence));

    const struct document *document = viewer->document;
    const bool has_surface = frame->extracting || (document && document->has_result);
    double ms[STOPWATCH_STAGES], sum = 0;
    if (stopwatch_read(gpu, &frame->timer, ms)) {
        for (uint32_t i = 0; i < frame->timer.count; i++) {
            sum += ms[i];
            const bool rays = viewer->casts.recorded;
            if (frame->draws_full && !rays && has_surface &&
                frame->timer.stages[i].kind == STAGE_PICTURE) {
                schedule_time(&viewer->schedule, DRAW_TRIANGLES, ms[i]);
            }
        }
    }
    viewer->meters.gpu_ms = sum;
    const struct casts *casts = &viewer->casts;
    const bool cast = casts->recorded && casts->anew;
    casts_collect(viewer, ms);

    struct extraction_result result = { .whole = true };
    if (frame->extracting) {
        surface_work_collect(viewer, &result);
    } else if (document) {
        result = document->result;
    }
    const bool rays = frame->rays;
    const bool shows = rays ? (bool)casts->so_far.caster : document && document->has_result;
    if (!document || (!frame->extracting && !shows)) {
        return true; // only the panel was drawn
    }
    viewer->meters.frames++;
    const struct trace_line line = {
        .frame = viewer->meters.frames,
        .time = clock_ms(),
        .iso = rays ? casts->so_far.iso : frame->made.iso,
        .asked = viewer->settings.view.iso,
        .draw = draw_names[rays ? DRAW_RAYS : DRAW_TRIANGLES],
        .cast = rays ? &casts->so_far : NULL,
        .casts = cast,
        .extracted = frame->extracting,
        .mesh_iso = result.iso,
        .draft = viewer->schedule.picture_is_draft,
        .method = frame->made.method->name,
        .active_cells = result.active_cells,
        .vertices = result.vertices,
        .triangles = result.triangles,
        .whole = result.whole,
        .bricks = result.bricks,
        .active_bricks = result.active_bricks,
        .width = frame->width,
        .height = frame->height,
        .method_ms =
            document_times(document, frame->made.method, frame->made.iso).compaction.median_ms,
        .cpu_ms = frame->cpu_ms,
        .gpu_ms = viewer->meters.gpu_ms,
        .device_bytes = gpu->budget.peak,
        .parts = document_totals(document),
        .events = *window_counted(viewer->screen.window),
    };
    return trace_write(viewer->trace, &line, problem);
fail:
    return false;
}

// ---- recording ----

// Returns what the window shows after it. PICTURE_STAYS: only the background is drawn.
static enum due_picture
frame_record_scene(struct viewer *viewer, struct run *run, enum due_picture picture)
{
    const struct document *document = picture == PICTURE_STAYS ? NULL : viewer->document;
    const struct frame *frame = &viewer->frame;
    struct scene scene = {
        .view = &viewer->settings.view,
        .area = viewer_area(viewer),
        .draft = picture == PICTURE_DRAFT,
    };
    if (document) {
        scene.placement = &document->placement;
        scene.light = (struct light_source){ &document->cubes, frame->made.iso };
        scene.surface = document_shown(document, &scene.further);
    }
    struct extraction_lists lists;
    bool listed = document && document_lists(document, &lists);
    if (document && frame->extracting) {
        scene.fallback = frame->moving ? NULL : scene.surface;
        scene.surface = &document->surfaces->pair[frame->target];
        listed = extraction_lists(document_whole(document), scene.surface, &lists);
    }
    scene.lists = listed ? &lists : NULL;
    if (document && frame->rays) {
        scene.light.iso = viewer->settings.view.iso;
        picture = casts_record(viewer, run, &scene, picture);
    } else {
        viewer->casts.shown = (struct cast){ 0 };
    }
    label_begin(&viewer->gpu, frame->cmd, "picture");
    renderer_record(&viewer->screen.renderer, frame->cmd, &viewer->screen.picture, &scene);
    label_end(&viewer->gpu, frame->cmd);
    viewer->screen.blank = false;
    return picture;
}

// Draws the picture and the panel into the window's image.
static void frame_record_window(struct viewer *viewer)
{
    struct screen *screen = &viewer->screen;
    const struct swapchain *swapchain = &screen->swapchain;
    VkCommandBuffer cmd = viewer->frame.cmd;
    struct image_turn turn = {
        .image = swapchain->now.images[viewer->frame.image],
        .from_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, // the acquire's semaphore
        .to_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .to_access = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .to = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    };
    image_turn(cmd, &turn);
    const bool there = screen->picture.resolved.handle;
    const VkRenderingAttachmentInfo target = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = swapchain->now.views[viewer->frame.image],
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = there ? VK_ATTACHMENT_LOAD_OP_DONT_CARE : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.color.float32 = { 0.1f, 0.11f, 0.13f, 1 },
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea.extent = swapchain->extent,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &target,
    };
    vkCmdBeginRendering(cmd, &info);
    if (there) {
        shown_record(&viewer->gpu, &screen->shows, cmd, &screen->picture);
    }
    if (viewer->frame.draws_panel) {
        ui_draw_record(&screen->ui_draw, cmd, screen->ui, swapchain->extent);
    }
    vkCmdEndRendering(cmd);
    turn = (struct image_turn){
        .image = swapchain->now.images[viewer->frame.image],
        .from_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .from_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .from = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
    };
    image_turn(cmd, &turn);
}

static bool frame_record(struct viewer *viewer, struct problem *problem)
{
    const struct gpu *gpu = &viewer->gpu;
    struct frame *frame = &viewer->frame;
    VkCommandBuffer cmd = frame->cmd;
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VK_TRY(vkResetCommandBuffer(cmd, 0));
    VK_TRY(vkBeginCommandBuffer(cmd, &begin));
    stopwatch_begin(&frame->timer, cmd);
    struct run run;
    run_begin(&run, &viewer->gpu, cmd, NULL); // this waits for everything that was submitted before
    if (frame->extracting) {
        schedule_step(&viewer->schedule, window_time());
        label_begin(gpu, cmd, "extraction");
        surface_work_record(viewer, &run);
        label_end(gpu, cmd);
        stopwatch_stamp(&frame->timer, cmd, stage_of(STAGE_EXTRACTION));
    }
    const struct situation at = viewer_situation(viewer);
    // Rays do not wait for the surface, nor does it change what they show.
    const bool surface = frame->extracting && !frame->rays;
    enum due_picture picture = schedule_picture(&viewer->schedule, &at, surface);
    frame->draws_full = picture == PICTURE_FULL;
    const bool blank = viewer->screen.blank && viewer->screen.picture.resolved.handle;
    if (picture != PICTURE_STAYS || blank) {
        if (picture == PICTURE_FULL) {
            picture_memory_fit_light(viewer);
        }
        run.timer = &frame->timer;
        picture = frame_record_scene(viewer, &run, picture);
        stopwatch_stamp(&frame->timer, cmd, stage_of(STAGE_PICTURE));
    }
    if (picture != PICTURE_STAYS || at.stays) {
        schedule_draw(&viewer->schedule, picture);
        if (at.cast.wanted && !at.cast.needs_frame && viewer->casts.parts.outdated) {
            viewer_redraw(viewer);
        }
    }
    label_begin(gpu, cmd, "window");
    frame_record_window(viewer);
    label_end(gpu, cmd);
    stopwatch_stamp(&frame->timer, cmd, stage_of(STAGE_PANEL));
    VK_TRY(vkEndCommandBuffer(cmd));
    return true;
fail:
    return false;
}

static bool frame_submit(struct viewer *viewer, struct problem *problem)
{
    struct gpu *gpu = &viewer->gpu;
    const VkSemaphoreSubmitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = viewer->screen.swapchain.acquired,
        .stageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
    };
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = viewer->screen.swapchain.now.drawn[viewer->frame.image],
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkCommandBufferSubmitInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = viewer->frame.cmd,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = 1,
        .pWaitSemaphoreInfos = &wait,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &buffer,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &signal,
    };
    viewer->frame.in_flight = gpu_submit(gpu, &info, viewer->frame.fence, problem);
    return viewer->frame.in_flight;
}

bool frame_fit_format(struct viewer *viewer, struct problem *problem)
{
    struct gpu *gpu = &viewer->gpu;
    struct screen *screen = &viewer->screen;
    const VkFormat format = screen->swapchain.format;
    const bool linear = screen->swapchain.linear;
    if (screen->format == format) {
        return true;
    }
    ui_draw_destroy(gpu, &screen->ui_draw);
    shown_destroy(gpu, &screen->shows);
    screen->format = format;
    return shown_create(gpu, format, linear, &screen->shows, problem) &&
           ui_draw_create(gpu, format, linear, &screen->ui_draw, problem);
}

// Acquires an image of the window's size; *ready is false while there is none.
static bool frame_acquire_image(struct viewer *viewer, bool *ready, struct problem *problem)
{
    *ready = false;
    for (int i = 0; i < 4; i++) { // the window may change again meanwhile
        if (!swapchain_refresh(
                &viewer->gpu, viewer->screen.window, &viewer->screen.swapchain, problem)) {
            return false;
        }
        if (!viewer->screen.swapchain.now.handle) {
            return true; // minimised
        }
        switch (swapchain_acquire(
            &viewer->gpu, &viewer->screen.swapchain, &viewer->frame.image, problem)) {
        case SWAPCHAIN_READY:
            *ready = true;
            return frame_fit_format(viewer, problem) && picture_memory_fit_picture(viewer, problem);
        case SWAPCHAIN_STALE:
            break;
        case SWAPCHAIN_LATER:
            return true;
        case SWAPCHAIN_FAILED:
            return false;
        }
    }
    return true;
}

bool frame_acquire(struct viewer *viewer, bool *ready, struct problem *problem)
{
    struct frame *frame = &viewer->frame;
    const double before = clock_ms();
    const bool fine = frame_acquire_image(viewer, ready, problem);
    frame->acquired = clock_ms();
    viewer->screen.stuck = !*ready;
    viewer->screen.hidden = !*ready && !viewer->screen.swapchain.now.handle;
    if (fine && *ready) {
        const double interval = before - viewer->meters.frame_time;
        viewer->meters.fps = interval > 0 && interval < 2000 ? 1000 / interval : 0;
        viewer->meters.frame_time = before;
    }
    return fine;
}

bool frame_draw(struct viewer *viewer, struct problem *problem)
{
    struct frame *frame = &viewer->frame;
    struct swapchain *swapchain = &viewer->screen.swapchain;
    if (!casts_fit(viewer, problem)) {
        return false;
    }
    frame->rays = viewer_casts(viewer);
    if (!surface_work_prepare(viewer, problem) || !frame_record(viewer, problem) ||
        !frame_submit(viewer, problem)) {
        return false;
    }
    frame->width = swapchain->extent.width;
    frame->height = swapchain->extent.height;
    frame->cpu_ms = clock_ms() - frame->acquired;
    if (!swapchain_present(&viewer->gpu, swapchain, frame->image, problem)) {
        return false;
    }
    schedule_drawn(&viewer->schedule, window_time());
    if (swapchain->stale) {
        schedule_redraw(&viewer->schedule, 2); // it was not shown: draw again at once
    }
    return true;
}
