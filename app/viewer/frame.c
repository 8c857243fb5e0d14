#include "app/viewer/frame.h"

#include "app/base/progress.h"
#include "app/viewer/work/casts.h"
#include "app/viewer/work/picture_memory.h"
#include "app/viewer/work/surface_work.h"
#include "compute/gpu/label.h"

bool frame_create(
    struct gpu *gpu, struct frame *frame, struct stopwatch *timer, struct problem *problem)
{
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VK_TRY(vkAllocateCommandBuffers(gpu->device, &buffer, &frame->cmd));
    const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    VK_TRY(vkCreateFence(gpu->device, &fence, NULL, &frame->fence));
    return stopwatch_create(gpu, timer, problem);
fail:
    return false;
}

void frame_destroy(struct gpu *gpu, struct frame *frame, struct stopwatch *timer)
{
    if (gpu->device && !gpu->lost) {
        vkDestroyFence(gpu->device, frame->fence, NULL); // the pool frees the command buffer
    }
    stopwatch_destroy(gpu, timer);
    *frame = (struct frame){ 0 };
}

bool frame_finish(struct viewer *viewer, struct problem *problem)
{
    struct works *works = &viewer->works;
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

    const struct document *document = viewer->works.document;
    const bool extracting = surface_work_in_frame(works);
    const bool has_surface = extracting || (document && document_shows_any(document));
    double ms[STOPWATCH_STAGES], sum = 0;
    if (stopwatch_read(gpu, &viewer->works.timer, ms)) {
        for (uint32_t i = 0; i < viewer->works.timer.count; i++) {
            sum += ms[i];
            if (frame->draws_full && !frame->rays && has_surface &&
                viewer->works.timer.stages[i].kind == STAGE_PICTURE) {
                schedule_time(&viewer->schedule, DRAW_TRIANGLES, ms[i]);
            }
        }
    }
    viewer->works.meters.gpu_ms = sum;
    const bool cast = casts_collect(works, ms);

    struct extraction_result result = { .whole = true };
    if (extracting) {
        surface_work_collect(works, frame->rays, &result);
    } else if (document) {
        result = document->shown->result;
    }
    const bool rays = frame->rays;
    const struct cast_times *so_far = rays ? casts_so_far(works) : NULL;
    const struct surface_settings *made = surface_work_made(works);
    const bool shows = rays ? (bool)so_far : document && document_shows_any(document);
    if (!document || (!extracting && !shows)) {
        return true; // only the panel was drawn
    }
    viewer->works.meters.frames++;
    const struct trace_line line = {
        .frame = viewer->works.meters.frames,
        .time = clock_ms(),
        .iso = so_far ? so_far->iso : made->iso,
        .asked = viewer->settings.view
                     .isos[extracting ? works->schedule->contour : viewer->settings.view.contour],
        .draw = draw_names[rays ? DRAW_RAYS : DRAW_TRIANGLES],
        .cast = so_far,
        .casts = cast,
        .extracted = extracting,
        .mesh_iso = result.iso,
        .draft = viewer->schedule.picture_is_draft,
        .method = made->method->name,
        .active_cells = result.active_cells,
        .vertices = result.vertices,
        .triangles = result.triangles,
        .whole = result.whole,
        .bricks = result.bricks,
        .active_bricks = result.active_bricks,
        .width = frame->width,
        .height = frame->height,
        .method_ms = document_times(document, made->method, made->iso).compaction.median_ms,
        .cpu_ms = frame->cpu_ms,
        .gpu_ms = viewer->works.meters.gpu_ms,
        .device_bytes = gpu->budget.peak,
        .parts = document_totals(document),
        .events = *window_counted(viewer->screen.window),
    };
    return trace_write(viewer->trace, &line, problem);
fail:
    return false;
}

// ---- recording ----

// Returns what the window shows afterwards; PICTURE_STAYS: the same as before. If `picture` is
// PICTURE_STAYS, only the background is drawn.
static enum due_picture
frame_record_scene(struct viewer *viewer, struct run *run, enum due_picture picture)
{
    struct works *works = &viewer->works;
    const struct document *document = picture == PICTURE_STAYS ? NULL : works->document;
    const struct frame *frame = &viewer->frame;
    struct view view = viewer->settings.view;
    view_drop_unused(&view);
    if (frame->drafts) {
        casts_view_draft(works, &view);
    }
    struct scene scene = {
        .view = &view,
        .area = works->area,
        .draft = picture == PICTURE_DRAFT,
    };
    struct extraction_lists lists;
    if (document) {
        scene.placement = &document->placement;
        surface_work_scene(works, &scene, &lists);
        scene_set_light(&scene, &document->cubes);
        picture_memory_fit_planes(works, &scene);
    }
    if (document && frame->rays) {
        picture = casts_record(works, run, &scene, picture);
        if (picture == PICTURE_STAYS) {
            return picture;
        }
    } else {
        casts_leave_picture(works);
    }
    renderer_section(&works->display.renderer, run, &works->display.picture, &scene);
    label_begin(&viewer->gpu, frame->cmd, "picture");
    renderer_record(
        &viewer->works.display.renderer, frame->cmd, &viewer->works.display.picture, &scene);
    label_end(&viewer->gpu, frame->cmd);
    viewer->works.display.blank = false;
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
    const bool there = viewer->works.display.picture.resolved.handle;
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
        shown_record(&viewer->gpu, &screen->shows, cmd, &viewer->works.display.picture);
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
    const bool extracting = surface_work_in_frame(&viewer->works);
    VkCommandBuffer cmd = frame->cmd;
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VK_TRY(vkResetCommandBuffer(cmd, 0));
    VK_TRY(vkBeginCommandBuffer(cmd, &begin));
    stopwatch_begin(&viewer->works.timer, cmd);
    struct run run;
    run_begin(&run, &viewer->gpu, cmd, NULL); // this waits for everything that was submitted before
    if (extracting) {
        schedule_step(&viewer->schedule, window_time());
        label_begin(gpu, cmd, "extraction");
        surface_work_record(&viewer->works, &run);
        label_end(gpu, cmd);
        stopwatch_stamp(&viewer->works.timer, cmd, stage_of(STAGE_EXTRACTION));
    }
    const struct situation at = viewer_situation(viewer);
    // Rays do not wait for the surface, and the surface does not change the rays' picture.
    const bool surface = extracting && !frame->rays;
    enum due_picture picture = schedule_picture(&viewer->schedule, &at, surface);
    frame->draws_full = picture == PICTURE_FULL;
    if (picture != PICTURE_STAYS || extracting) {
        frame->drafts = picture == PICTURE_DRAFT && !extracting && casts_drafts(&viewer->works);
    }
    frame->rays |= frame->drafts;
    const bool blank = viewer->works.display.blank && viewer->works.display.picture.resolved.handle;
    if (picture != PICTURE_STAYS || blank) {
        if (picture == PICTURE_FULL) {
            picture_memory_fit_light(&viewer->works);
        }
        run.timer = &viewer->works.timer;
        picture = frame_record_scene(viewer, &run, picture);
        stopwatch_stamp(&viewer->works.timer, cmd, stage_of(STAGE_PICTURE));
    }
    if (picture != PICTURE_STAYS || at.stays) {
        schedule_draw(&viewer->schedule, picture);
        if (at.cast.wanted && !at.cast.needs_frame && at.outdated) {
            works_redraw(&viewer->works);
        }
    }
    label_begin(gpu, cmd, "window");
    frame_record_window(viewer);
    label_end(gpu, cmd);
    stopwatch_stamp(&viewer->works.timer, cmd, stage_of(STAGE_PANEL));
    VK_TRY(vkEndCommandBuffer(cmd));
    return true;
fail:
    return false;
}

static bool frame_submit(
    struct gpu *gpu, struct frame *frame, const struct swapchain *swapchain,
    struct problem *problem)
{
    const VkSemaphoreSubmitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = swapchain->acquired,
        .stageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
    };
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = swapchain->now.drawn[frame->image],
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkCommandBufferSubmitInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = frame->cmd,
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
    frame->in_flight = gpu_submit(gpu, &info, frame->fence, problem);
    return frame->in_flight;
}

bool frame_fit_format(struct gpu *gpu, struct screen *screen, struct problem *problem)
{
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
            viewer_fit_area(viewer);
            return frame_fit_format(&viewer->gpu, &viewer->screen, problem) &&
                   picture_memory_fit_picture(&viewer->works, problem);
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
        const double interval = before - viewer->works.meters.frame_time;
        viewer->works.meters.fps = interval > 0 && interval < 2000 ? 1000 / interval : 0;
        viewer->works.meters.frame_time = before;
    }
    return fine;
}

bool frame_draw(struct viewer *viewer, struct problem *problem)
{
    struct frame *frame = &viewer->frame;
    struct swapchain *swapchain = &viewer->screen.swapchain;
    frame->rays = casts_ready(&viewer->works);
    if (!surface_work_prepare(&viewer->works, viewer_due(viewer).step, problem) ||
        !frame_record(viewer, problem) || !frame_submit(&viewer->gpu, frame, swapchain, problem)) {
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
        schedule_redraw(&viewer->schedule, 2); // the image was not shown: draw again at once
    }
    return true;
}
