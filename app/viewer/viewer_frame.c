// One frame in flight: the frame before is waited for and its counts are collected, then the next
// one is recorded with the newest isovalue. Nothing is ever queued.
//
// Two surfaces take turns. A step makes the hidden one; the picture draws the hidden one's own mesh
// and the shown one's fallback, of which the device leaves exactly one standing: the new surface
// where it is whole, the old one where a capacity was exceeded. Only after the fence does the host
// learn which it was: it swaps the two, or makes room and does the step again.
#include "app/viewer/viewer_state.h"

#include "app/base/progress.h"
#include "app/base/promises.h"

#include <string.h>

static const uint32_t ATTEMPTS = 12; // a step grows its buffers by at least a quarter each time

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

bool frame_due(const struct viewer *viewer)
{
    return viewer->opened && (!viewer->tried || viewer->tried_iso != viewer->chosen.iso ||
                              viewer->tried_method != viewer->chosen.method ||
                              viewer->tried_every_brick != viewer->chosen.every_brick);
}

void viewer_remember(struct viewer *viewer, const struct extraction_result *result)
{
    float sum = 0;
    for (uint32_t i = 0; i < result->stage_count; i++) {
        sum += (float)result->stage_ms[i];
    }
    if (viewer->history_count == UI_HISTORY) {
        memmove(viewer->history, viewer->history + 1, (UI_HISTORY - 1) * sizeof *viewer->history);
        viewer->history_count--;
    }
    viewer->history[viewer->history_count++] = sum;
}

// What of the step was compaction, kept for its method. A driver may go on preparing a kernel until
// its first run, so this one is done again, by the next step if there is one anyway. But a method
// that removes would find nothing to do then, and is shown only where it had something to do.
void viewer_remember_method(struct viewer *viewer, bool repeat)
{
    struct opened *opened = viewer->opened;
    const struct extraction_result *result = &opened->result;
    const size_t row = method_row(result->method);
    if (result->moved) {
        return;
    }
    if (!opened->took[row].tried) {
        opened->took[row].tried = true;
        viewer->tried &= !repeat || result->method->removes;
        return;
    }
    opened->took[row].again = true;
    const struct compaction_events *events = &result->cells_events;
    if (result->method->removes && events->removed + events->entered == 0) {
        return;
    }
    double ms = result->removal_ms;
    for (uint32_t i = 0; i < result->stage_count; i++) {
        const enum stage_kind kind = result->stages[i].kind;
        ms += kind == STAGE_BRICKS || kind == STAGE_CELLS ? result->stage_ms[i] : 0;
    }
    opened->took[row].ms = ms;
    opened->took[row].iso = result->iso;
}

// Whether the method makes a step alone, for its time's sake: one, as there may be none to be had.
// Where only vertices move, a method that removes has nothing to do, and the step is not spent on
// it.
static bool is_to_be_timed(const struct viewer *viewer, const struct extraction_step *step)
{
    const struct opened *opened = viewer->opened;
    const size_t row = method_row(step->method);
    return viewer->gpu.timestamps && opened->took[row].tried && !opened->took[row].again &&
           !(step->method->removes && extraction_moves(opened->extraction, step));
}

static void complain_of_room(struct viewer *viewer, const struct problem *problem)
{
    viewer_complain(viewer, problem);
    viewer->message_about = ABOUT_SURFACE;
    viewer->surface_refused = true;
    viewer_refine(viewer); // a coarse picture has not helped
}

static void collect(struct viewer *viewer, struct extraction_result *result)
{
    struct opened *opened = viewer->opened;
    extraction_collect(opened->extraction, result);
    viewer->redraw = viewer->redraw > 2 ? viewer->redraw : 2; // the panel has news,
    viewer->moved = window_time(); // and shows them before a slow picture in full
    if (result->whole) {
        opened->shown = viewer->frame.target;
        opened->has_result = true;
        opened->result = *result;
        viewer->attempts = 0;
        if (viewer->message_about == ABOUT_SURFACE) {
            viewer_unsay(viewer);
        }
        viewer_remember(viewer, result);
        viewer_remember_method(viewer, true);
    } else if (++viewer->attempts < ATTEMPTS) {
        viewer->tried = false;
    } else {
        const struct problem problem = {
            .text = "This surface never fitted its buffers; the one before stays.",
        };
        viewer->attempts = 0;
        complain_of_room(viewer, &problem);
    }
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

    double ms[STOPWATCH_STAGES], sum = 0;
    if (stopwatch_read(gpu, &frame->timer, ms)) {
        for (uint32_t i = 0; i < frame->timer.count; i++) {
            sum += ms[i];
            if (frame->draws_full && frame->timer.stages[i].kind == STAGE_PICTURE) {
                viewer->full_ms = ms[i];
            }
        }
    }
    viewer->gpu_ms = sum;

    const struct opened *opened = viewer->opened;
    struct extraction_result result = { .whole = true };
    if (frame->extracting) {
        collect(viewer, &result);
    } else if (opened) {
        result = opened->result;
    }
    if (!opened || (!frame->extracting && !opened->has_result)) {
        return true; // nothing but the panel was drawn
    }
    viewer->frames++;
    const struct trace_line line = {
        .frame = viewer->frames,
        .iso = frame->iso,
        .method = frame->method->name,
        .active_cells = result.active_cells,
        .vertices = result.vertices,
        .triangles = result.triangles,
        .whole = result.whole,
        .bricks = result.bricks,
        .active_bricks = result.active_bricks,
        .width = frame->width,
        .height = frame->height,
        .method_ms = opened->took[method_row(frame->method)].ms,
        .cpu_ms = frame->cpu_ms,
        .gpu_ms = viewer->gpu_ms,
        .device_bytes = gpu->budget.peak,
        .slabs = opened->in.slabs ? &opened->in.result : NULL,
        .events = *window_counted(viewer->window),
    };
    return trace_write(viewer->trace, &line, problem);
fail:
    return false;
}

// ---- the panel ----

static void fill_model(struct viewer *viewer, struct ui_model *model)
{
    const struct opened *opened = viewer->opened;
    if (opened) {
        model->file = opened->name;
        model->volume = &opened->volume;
        model->facts = &opened->facts;
        model->has_result = opened->has_result;
        model->active_cells = opened->result.active_cells;
        model->vertices = opened->result.vertices;
        model->triangles = opened->result.triangles;
        const struct extraction_result *result = &opened->result;
        model->every_brick = result->bricks > 0 && result->active_bricks == result->bricks &&
                             viewer->chosen.every_brick;
        if (opened->has_result) {
            const uint32_t sample_bytes = volume_type_size(opened->volume.type);
            model->bricks_skipped = 1 - (double)result->active_bricks / (double)result->bricks;
            model->bytes_per_voxel = (double)extraction_bytes_moved(result, sample_bytes) /
                                     (double)volume_count(&opened->volume);
        }
        model->removes = result->method && result->method->removes;
        model->cells_removed = result->cells_events.removed;
        model->cells_entered = result->cells_events.entered;
        model->removal_ms = result->removal_ms;
    }
    model->iso = viewer->chosen.iso;
    model->iso_is_auto = viewer->chosen.iso_is_auto;
    model->sweeping = viewer->sweeping;
    model->method = method_row(viewer->chosen.method);
    model->history = viewer->history;
    model->history_count = viewer->history_count;
    model->device = viewer->gpu.properties.deviceName;
    model->cpu_ms = viewer->frame.cpu_ms;
    model->gpu_ms = viewer->gpu_ms;
    model->fps = viewer->fps;
    model->message = viewer->message[0] ? viewer->message : NULL;
    model->message_is_error = viewer->message_is_error;
    viewer_model_loading(viewer, model);
    viewer_model_slabs(viewer, model);
    viewer_model_export(viewer, model);
    model->show_panel = viewer->chosen.panel;
    model->show_help = viewer->help;
    model->show_timings = viewer->chosen.timings;
    model->show_axes = viewer->chosen.axes;
    viewer_model_switches(viewer, model);
    viewer_model_auto(viewer, model);

    struct camera_matrices matrices;
    camera_matrices(&viewer->chosen.camera, 1, 1, &matrices);
    for (int c = 0; opened && c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            for (int i = 0; i < 3; i++) {
                model->axes[c][r] += matrices.view[i][r] * opened->placement.axes[c][i];
            }
        }
    }
}

// Without memory for it the panel is not drawn. It is larger text that takes much.
static bool prepare_panel(struct viewer *viewer, struct problem *problem)
{
    struct problem why;
    viewer->frame.draws_panel = true;
    while (!ui_draw_prepare(&viewer->gpu, &viewer->ui_draw, viewer->ui, &why)) {
        if (why.kind != PROBLEM_DEVICE_MEMORY) {
            return problem_set(problem, why.kind, "%s", why.text);
        }
        if (!viewer_make_room(viewer)) {
            viewer->frame.draws_panel = false;
            if (viewer->chosen.text_scale > 1) {
                viewer_scale_text(viewer, 1);
                viewer_say(viewer, "The device has no memory for text of this size.");
            }
            return true;
        }
    }
    return true;
}

_Static_assert(METHODS_MOST <= UI_METHODS, "the panel lists every method");

static bool lay_out_panel(struct viewer *viewer, struct problem *problem)
{
    struct ui_model model = { 0 };
    struct ui_method rows[UI_METHODS];
    struct promises promises[UI_METHODS];
    struct ui_stage stages[UI_STAGES];
    for (uint32_t i = 0; i < method_count(); i++) {
        promises[i] = promises_of(method_at(i));
        rows[i] = (struct ui_method){
            .name = method_at(i)->name,
            .summary = method_at(i)->summary,
            .paper = method_at(i)->paper,
            .promises = promises[i].text,
            .reason = viewer_refuses(viewer, method_at(i)),
            .ms = viewer->opened ? viewer->opened->took[i].ms : 0,
            .iso = viewer->opened ? viewer->opened->took[i].iso : 0,
        };
    }
    model.method_count = method_count();
    model.methods = rows;
    if (viewer->opened) {
        const struct extraction_result *result = &viewer->opened->result;
        for (uint32_t i = 0; i < result->stage_count && i < UI_STAGES; i++) {
            stages[i] = (struct ui_stage){
                .name = result->stages[i].name,
                .ms = result->stage_ms[i],
            };
            model.stage_count = i + 1;
        }
    }
    model.stages = stages;
    fill_model(viewer, &model);
    struct ui_answer answer;
    const VkRect2D before = viewer_area(viewer);
    ui_frame(viewer->ui, &model, &answer);
    viewer_answer(viewer, &answer);
    if (viewer_area(viewer).offset.x != before.offset.x) {
        viewer_redraw(viewer); // the panel has another width from this frame on
    }
    return prepare_panel(viewer, problem);
}

// ---- recording ----

static void record_extraction(struct viewer *viewer, struct run *run)
{
    struct opened *opened = viewer->opened;
    const struct frame *frame = &viewer->frame;
    const struct extraction_step step = {
        .iso = frame->iso,
        .method = frame->method,
        .target = &opened->surfaces[frame->target],
        .previous = opened->has_result && !frame->moving ? &opened->surfaces[opened->shown] : NULL,
        .anew = frame->anew,
        .every_brick = frame->every_brick,
    };
    extraction_record(opened->extraction, run, &step);
}

// While the surface moves and one picture in full takes longer than this, drafts are drawn.
static const double SLOW_MS = 50;

static void record_scene(struct viewer *viewer)
{
    struct opened *opened = viewer->opened;
    const bool moving = window_time() < viewer_refine_at(viewer);
    const bool draft = moving && viewer->full_ms > SLOW_MS && !viewer->params->exit_after;
    viewer->picture_is_draft = draft;
    viewer->frame.draws_full = !draft;
    struct scene scene = {
        .camera = &viewer->chosen.camera,
        .area = viewer_area(viewer),
        .draft = draft,
        .wireframe = viewer->chosen.wireframe,
        .edges = viewer->chosen.edges,
        .box = viewer->chosen.box,
    };
    if (opened && opened->in.slabs) {
        scene.placement = &opened->placement;
        scene.surface = opened->in.shown.list;
        scene.further = opened->in.shown.count - (opened->in.shown.count > 0);
    } else if (opened) {
        const struct surface *shown = opened->has_result ? &opened->surfaces[opened->shown] : NULL;
        const bool extracting = viewer->frame.extracting;
        scene.placement = &opened->placement;
        scene.surface = extracting ? &opened->surfaces[viewer->frame.target] : shown;
        scene.fallback = extracting && !viewer->frame.moving ? shown : NULL;
    }
    renderer_record(&viewer->renderer, viewer->frame.cmd, &viewer->picture, &scene);
}

// The picture into the window's image, or where there is none its ground; the panel over it.
static void record_window(struct viewer *viewer, uint32_t index)
{
    const struct swapchain *swapchain = &viewer->swapchain;
    VkCommandBuffer cmd = viewer->frame.cmd;
    struct image_turn turn = {
        .image = swapchain->now.images[index],
        .from_stage = VK_PIPELINE_STAGE_2_COPY_BIT, // that the acquire's semaphore holds back
        .to_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .to_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
    };
    image_turn(cmd, &turn);
    const bool there = viewer->picture.resolved.handle;
    const VkImageSubresourceLayers layers = {
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
        .layerCount = 1,
    };
    // Bytes as they stand: the picture is stored as sRGB, and so it shall be shown.
    const VkImageCopy copy = {
        .srcSubresource = layers,
        .dstSubresource = layers,
        .extent = { swapchain->extent.width, swapchain->extent.height, 1 },
    };
    if (there) {
        vkCmdCopyImage(
            cmd, viewer->picture.resolved.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
            swapchain->now.images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    }
    turn = (struct image_turn){
        .image = swapchain->now.images[index],
        .from_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .from_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .to_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .to_access = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .from = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    };
    image_turn(cmd, &turn);
    const VkRenderingAttachmentInfo target = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = swapchain->now.views[index],
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = there ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
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
    if (viewer->frame.draws_panel) {
        ui_draw_record(&viewer->ui_draw, cmd, viewer->ui, swapchain->extent);
    }
    vkCmdEndRendering(cmd);
    turn = (struct image_turn){
        .image = swapchain->now.images[index],
        .from_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .from_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .from = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
    };
    image_turn(cmd, &turn);
}

static bool record(struct viewer *viewer, uint32_t index, struct problem *problem)
{
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
    run_begin(&run, &viewer->gpu, cmd, NULL); // after this all that was submitted before is there
    frame->draws_full = false;
    if (frame->extracting) {
        viewer->moved = window_time();
        record_extraction(viewer, &run);
        stopwatch_stamp(&frame->timer, cmd, stage_of(STAGE_EXTRACTION));
    }
    const bool stays =
        (viewer->opened && viewer->opened->in.blind) || !viewer->picture.resolved.handle;
    if (stays) {
        viewer->picture_is_old = viewer->picture_is_draft = false;
    } else if (frame->extracting || viewer->picture_is_old || viewer->params->exit_after) {
        record_scene(viewer);
        viewer->picture_is_old = false;
        stopwatch_stamp(&frame->timer, cmd, stage_of(STAGE_PICTURE));
    }
    record_window(viewer, index);
    stopwatch_stamp(&frame->timer, cmd, stage_of(STAGE_PANEL));
    VK_TRY(vkEndCommandBuffer(cmd));
    return true;
fail:
    return false;
}

static bool submit(struct viewer *viewer, uint32_t index, struct problem *problem)
{
    struct gpu *gpu = &viewer->gpu;
    const VkSemaphoreSubmitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = viewer->swapchain.acquired,
        .stageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
    };
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = viewer->swapchain.now.drawn[index],
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

void viewer_try(struct viewer *viewer)
{
    if (viewer->tried_every_brick != viewer->chosen.every_brick) {
        memset(viewer->opened->took, 0, sizeof viewer->opened->took);
    }
    viewer->tried = true;
    viewer->tried_iso = viewer->chosen.iso;
    viewer->tried_method = viewer->chosen.method;
    viewer->tried_every_brick = viewer->chosen.every_brick;
    viewer->surface_refused = false;
}

// Room for the step that is due; where there is none the surface before stays.
static bool prepare_extraction(struct viewer *viewer, struct problem *problem)
{
    struct opened *opened = viewer->opened;
    struct problem why = { 0 };
    viewer->frame.extracting = false;
    viewer->frame.iso = opened && opened->has_result ? opened->result.iso : viewer->chosen.iso;
    viewer->frame.method =
        opened && opened->has_result ? opened->result.method : viewer->chosen.method;
    if (!frame_due(viewer) || opened->in.slabs) {
        return true;
    }
    viewer_try(viewer);
    if (!opened->extraction) {
        return true; // it is not on the device any more, and that has been said
    }
    viewer_know_times(viewer);
    struct extraction_step move = {
        .iso = viewer->chosen.iso,
        .method = viewer->chosen.method,
        .target = &opened->surfaces[opened->shown],
        .every_brick = viewer->chosen.every_brick,
    };
    move.anew = viewer->frame.anew = is_to_be_timed(viewer, &move);
    viewer->frame.every_brick = move.every_brick;
    viewer->frame.moving = opened->has_result && extraction_moves(opened->extraction, &move);
    viewer->frame.target = viewer->frame.moving ? opened->shown : !opened->shown;
    if (extraction_prepare(
            opened->extraction, &opened->surfaces[viewer->frame.target], viewer->chosen.method,
            &why)) {
        viewer->frame.extracting = true;
        viewer->frame.iso = viewer->chosen.iso;
        viewer->frame.method = viewer->chosen.method;
        return true;
    }
    viewer->attempts = 0;
    if (why.kind == PROBLEM_DEVICE_MEMORY && viewer->chosen.every_brick) {
        viewer->chosen.every_brick = false;
        viewer_say(
            viewer,
            "There is no room to visit every brick: those that the isovalue misses are skipped.");
        return true;
    }
    if (why.kind == PROBLEM_DEVICE_MEMORY && !viewer->upload && viewer_recut(viewer)) {
        viewer->tried = false; // the walk over its slabs comes next
        viewer_say(
            viewer, "This surface has no room beside the volume within the budget: it is made slab "
                    "by slab now.");
        return true;
    }
    if (why.kind == PROBLEM_DEVICE_MEMORY && viewer_coarsen(viewer)) {
        viewer->tried = false;
        return true;
    }
    if (viewer->gpu.lost || (viewer->params->exit_after && !opened->has_result)) {
        *problem = why;
        return false;
    }
    complain_of_room(viewer, &why);
    return true;
}

// An image to draw on, of the window's size; *ready is false while there is none.
static bool acquire(struct viewer *viewer, uint32_t *index, bool *ready, struct problem *problem)
{
    *ready = false;
    for (int i = 0; i < 4; i++) { // the window may change again in between
        if (!swapchain_refresh(&viewer->gpu, viewer->window, &viewer->swapchain, problem)) {
            return false;
        }
        if (!viewer->swapchain.now.handle) {
            return true; // minimised
        }
        switch (swapchain_acquire(&viewer->gpu, &viewer->swapchain, index, problem)) {
        case SWAPCHAIN_READY:
            *ready = true;
            return viewer_fit_picture(viewer, problem);
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

bool frame_start(struct viewer *viewer, bool *started, struct problem *problem)
{
    uint32_t index = 0;
    bool ready;
    *started = false;
    const double before = clock_ms();
    if (!acquire(viewer, &index, &ready, problem)) {
        return false;
    }
    if (!ready) {
        return true;
    }
    const double start = clock_ms();
    if (!lay_out_panel(viewer, problem) || !prepare_extraction(viewer, problem) ||
        !record(viewer, index, problem) || !submit(viewer, index, problem)) {
        return false;
    }
    struct frame *frame = &viewer->frame;
    frame->width = viewer->swapchain.extent.width;
    frame->height = viewer->swapchain.extent.height;
    frame->cpu_ms = clock_ms() - start;
    const double interval = before - viewer->frame_time;
    viewer->fps = interval > 0 && interval < 2000 ? 1000 / interval : 0;
    viewer->frame_time = before;
    *started = true;
    if (!swapchain_present(&viewer->gpu, &viewer->swapchain, index, problem)) {
        return false;
    }
    if (viewer->swapchain.stale && viewer->redraw < 2) {
        viewer->redraw = 2; // it was not shown: again, at once
    }
    return true;
}
