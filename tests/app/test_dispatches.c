// A frame of rays has few dispatches. Each costs a GPU some microseconds, however little it does.
// ctest: twin
#define TEST_DRAWS true
#include "app/picture/offscreen.h"
#include "tests/device.h"

#define SIDE 64 // pixels

static PFN_vkCmdDispatch dispatch;
static PFN_vkCmdDispatchIndirect dispatch_indirect;
static uint32_t dispatches;

static VKAPI_ATTR void VKAPI_CALL note(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z)
{
    dispatches++;
    dispatch(cmd, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL
note_indirect(VkCommandBuffer cmd, VkBuffer arguments, VkDeviceSize offset)
{
    dispatches++;
    dispatch_indirect(cmd, arguments, offset);
}

// Draws a frame. Returns the number of its dispatches.
static uint32_t draw(struct offscreen *offscreen, struct casting *casting, uint32_t *hits)
{
    struct problem problem = { 0 };
    bool more;
    dispatches = 0;
    REQUIRE(offscreen_cast(offscreen, casting, NULL, NULL, hits, &more, &problem));
    assert_false(more);
    return dispatches;
}

// Draws a frame at an isovalue, one from elsewhere, and one at another isovalue. `samples` per
// pixel.
static void try_frames(uint32_t samples, uint32_t anew, uint32_t moved)
{
    struct problem problem = { 0 };
    struct volume volume;
    struct atlas atlas;
    struct cubes cubes;
    struct casting casting;
    static struct offscreen offscreen;
    struct view view = { .isos = { 100 }, .draw = DRAW_RAYS };
    struct placement placement;
    uint32_t hits[3];
    REQUIRE(volume_generate("sphere", (uint32_t[]){ 40, 36, 33 }, VOLUME_UINT8, &volume, &problem));
    REQUIRE(atlas_create(&gpu, &volume, &(struct atlas_params){ 0 }, &atlas, &problem));
    REQUIRE(volume_cubes(&volume, NULL, &cubes, &problem));
    view_place(&view, &volume, &placement);
    const struct offscreen_params params = {
        .width = SIDE,
        .height = SIDE,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .volume = &volume,
        .cubes = &cubes,
        .at_once = 1,
    };
    REQUIRE(casting_create(
        &gpu, &atlas, &cubes, caster_default(), (SIDE + 2) * (SIDE + 2), samples, &casting,
        &problem));
    REQUIRE(offscreen_open(&gpu, &view, &params, &offscreen, &problem));
    assert_int_equal(draw(&offscreen, &casting, &hits[0]), anew);
    offscreen.view.camera.distance *= 2;
    assert_int_equal(draw(&offscreen, &casting, &hits[1]), moved);
    offscreen.view.isos[0] = 150;
    assert_int_equal(draw(&offscreen, &casting, &hits[2]), anew);
    assert_true(hits[0] > hits[1] && hits[1] > hits[2] && hits[2] > 0);
    offscreen_close(&offscreen);
    casting_destroy(&casting);
    cubes_destroy(&cubes);
    atlas_destroy(&gpu, &atlas);
    volume_destroy(&volume);
}

// A GPU has nine dispatches: masks, spans, squares and leaps, rays, points, find edges, cast edges,
// shade, mean. If the isovalue has not changed, the masks are left out. Without edges, three are
// left out: find edges, cast edges and mean. A CPU lists bricks in a dispatch of its own, before
// the masks. It also shades samples at edges in a dispatch of their own.
static void test_a_frame_of_rays(void **state)
{
    (void)state;
    dispatch = vkCmdDispatch;
    dispatch_indirect = vkCmdDispatchIndirect;
    vkCmdDispatch = note;
    vkCmdDispatchIndirect = note_indirect;
    const struct traits *const of_device = gpu.traits;
    struct traits traits = *of_device;
    gpu.traits = &traits;
    traits.folds = true;
    try_frames(4, 9, 8);
    try_frames(1, 6, 5);
    traits.folds = false;
    try_frames(4, 11, 9);
    try_frames(1, 7, 5);
    gpu.traits = of_device;
    vkCmdDispatch = dispatch;
    vkCmdDispatchIndirect = dispatch_indirect;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_a_frame_of_rays) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
