// ctest: device
// Lists that are read together: small ones in one submission, large ones in halves, each element
// once.
#include "tests/device.h"

#include "compute/gpu/transfer.h"

#define LISTS_READ 4
#define HALF       4096

static uint32_t submissions;
static PFN_vkQueueSubmit2 submit;

static VkResult VKAPI_PTR
counted_submit(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits, VkFence fence)
{
    submissions++;
    return submit(queue, count, submits, fence);
}

struct shown {
    char *bytes;
    uint64_t next; // element
    uint32_t stride;
};

static void show(void *user, uint64_t first, uint64_t count, const void *elements)
{
    struct shown *shown = user;
    assert_int_equal(first, shown->next);
    assert_true(count > 0);
    memcpy(shown->bytes + first * shown->stride, elements, count * shown->stride);
    shown->next += count;
}

// Reads lists of so many elements. Returns the number of submissions.
static uint32_t read_lists(const uint32_t counts[LISTS_READ])
{
    static const uint32_t strides[LISTS_READ] = { 24, 4, 12, 4 };
    struct problem problem = { 0 };
    struct buffer buffers[LISTS_READ] = { 0 };
    struct transfer_list lists[LISTS_READ] = { 0 };
    struct shown shown[LISTS_READ] = { 0 };
    char *sent[LISTS_READ] = { 0 };
    for (uint32_t i = 0; i < LISTS_READ; i++) {
        const uint64_t size = (uint64_t)counts[i] * strides[i];
        shown[i] = (struct shown){ calloc(1, size + 1), 0, strides[i] };
        sent[i] = malloc(size + 1);
        assert_true(shown[i].bytes && sent[i]);
        for (uint64_t k = 0; k < size; k++) {
            sent[i][k] = (char)(k * 7 + k / 256 + i);
        }
        if (size > 0) { // the list begins within its buffer
            const struct buffer_params params = { .name = "list", .size = size + 8 };
            REQUIRE(buffer_create(&gpu, &params, &buffers[i], &problem));
            REQUIRE(transfer_upload(&gpu, &buffers[i], 8, sent[i], size, &problem));
        }
        lists[i] =
            (struct transfer_list){ &buffers[i], 8, counts[i], strides[i], NULL, shown[i].bytes };
        if (i % 2 == 0) {
            lists[i].visit = show;
            lists[i].user = &shown[i];
        }
    }
    submissions = 0;
    REQUIRE(transfer_read(&gpu, lists, LISTS_READ, &problem));
    for (uint32_t i = 0; i < LISTS_READ; i++) {
        assert_memory_equal(shown[i].bytes, sent[i], (size_t)counts[i] * strides[i]);
        assert_int_equal(shown[i].next, lists[i].visit ? counts[i] : 0);
        buffer_destroy(&gpu, &buffers[i]);
        free(shown[i].bytes);
        free(sent[i]);
    }
    return submissions;
}

static void test_lists_together(void **state)
{
    (void)state;
    const struct traits *const of_device = gpu.traits;
    struct traits traits = *of_device;
    traits.transfer_half = HALF;
    gpu.traits = &traits;
    submit = vkQueueSubmit2;
    vkQueueSubmit2 = counted_submit;
    assert_int_equal(read_lists((const uint32_t[]){ 0, 0, 0, 0 }), 0);
    assert_int_equal(read_lists((const uint32_t[]){ 50, 50, 90, 1 }), 1);
    assert_int_equal(read_lists((const uint32_t[]){ 0, 1024, 0, 0 }), 1); // a half exactly
    assert_int_equal(read_lists((const uint32_t[]){ 0, 1024, 0, 1 }), 2);
    assert_int_equal(
        read_lists((const uint32_t[]){ 170, 5, 0, 0 }), 2); // 16 bytes are left: 4 of 5
    assert_int_equal(read_lists((const uint32_t[]){ 1000, 1000, 2000, 100 }), 13);
    vkQueueSubmit2 = submit;
    gpu.traits = of_device;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lists_together) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
