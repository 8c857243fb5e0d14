// Objects have names and dispatches labels: a message of the validation layer shows them. Without a
// tool, none is set.
// ctest: plain
#include "compute/gpu/buffer.h"
#include "compute/gpu/image.h"
#include "compute/gpu/run.h"
#include "shaders.h"
#include "shaders/shared/compaction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char names[4096], labels[4096]; // that were set, each in brackets

static VKAPI_ATTR VkResult VKAPI_CALL
note_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
    (void)device;
    char name[100];
    snprintf(name, sizeof name, "[%d %s]", (int)info->objectType, info->pObjectName);
    strncat(names, name, sizeof names - strlen(names) - 1);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT *info)
{
    (void)cmd;
    strncat(labels, "[", sizeof labels - strlen(labels) - 1);
    strncat(labels, info->pLabelName, sizeof labels - strlen(labels) - 1);
}

static VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer cmd)
{
    (void)cmd;
    strncat(labels, "]", sizeof labels - strlen(labels) - 1);
}

static void open_gpu(struct gpu *gpu, bool validate)
{
    struct problem problem = { 0 };
    if (!gpu_create(&(struct gpu_params){ .validate = validate }, gpu, &problem)) {
        printf("skipped: %s\n", problem.text);
        exit(77);
    }
}

static void make_things(struct gpu *gpu)
{
    struct problem problem = { 0 };
    const struct buffer_params words = { .name = "words of a test", .size = 4096 };
    const struct buffer_params places = { .name = "places of a test", .size = 4096 };
    const struct image_params picture = {
        .name = "image of a test",
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .width = 8,
        .height = 8,
        .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    const struct kernel_params mark = { .name = "kernel of a test", .shader = &shader_mark };
    struct buffer to, from;
    struct image image;
    struct kernel kernel;
    assert_true(buffer_create(gpu, &words, &to, &problem));
    assert_true(buffer_create(gpu, &places, &from, &problem));
    assert_true(image_create(gpu, &picture, &image, &problem));
    assert_true(kernel_create(gpu, &mark, &kernel, &problem));

    VkCommandBuffer cmd = gpu_begin(gpu, &problem);
    assert_non_null(cmd);
    struct run run;
    run_begin(&run, gpu, cmd, NULL);
    run_fill(&run, &from, 0, 4096, 0);
    const struct binding table[BINDINGS] = {
        [BINDING_REMOVALS] = { &from },
        [BINDING_WORDS] = { &to },
    };
    run_dispatch(&run, &kernel, table, &(struct mark_push){ .count = 1 }, 1, 1, 1);
    assert_true(gpu_submit_and_wait(gpu, cmd, &problem));
    kernel_destroy(gpu, &kernel);
    image_destroy(gpu, &image);
    buffer_destroy(gpu, &from);
    buffer_destroy(gpu, &to);
}

static void note_all(void)
{
    *names = *labels = 0;
    vkSetDebugUtilsObjectNameEXT = note_name;
    vkCmdBeginDebugUtilsLabelEXT = begin_label;
    vkCmdEndDebugUtilsLabelEXT = end_label;
}

static void test_what_is_named(void **state)
{
    (void)state;
    struct gpu gpu;
    open_gpu(&gpu, true);
    note_all();
    make_things(&gpu);
    gpu_destroy(&gpu);
    static const struct {
        VkObjectType type;
        const char *name;
    } expected[] = {
        { VK_OBJECT_TYPE_BUFFER, "words of a test" },
        { VK_OBJECT_TYPE_DEVICE_MEMORY, "words of a test" },
        { VK_OBJECT_TYPE_IMAGE, "image of a test" },
        { VK_OBJECT_TYPE_IMAGE_VIEW, "image of a test" },
        { VK_OBJECT_TYPE_PIPELINE, "kernel of a test" },
        { VK_OBJECT_TYPE_DESCRIPTOR_SET, "kernel of a test" },
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char name[100];
        snprintf(name, sizeof name, "[%d %s]", (int)expected[i].type, expected[i].name);
        if (!strstr(names, name)) {
            fail_msg("%s is not among %s", name, names);
        }
    }
    assert_string_equal(labels, "[kernel of a test]");
}

static void test_nothing_without_a_tool(void **state)
{
    (void)state;
    struct gpu gpu;
    open_gpu(&gpu, false);
    note_all();
    make_things(&gpu);
    assert_string_equal(names, "");
    assert_string_equal(labels, "");
    gpu_destroy(&gpu);
}

static char told[4096]; // names of objects and labels in a message

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity, (void)types, (void)user;
    for (uint32_t i = 0; i < data->objectCount; i++) {
        const char *name = data->pObjects[i].pObjectName;
        strncat(told, name ? name : "?", sizeof told - strlen(told) - 1);
    }
    return VK_FALSE;
}

static void test_a_message_names_the_object(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    struct gpu gpu;
    struct buffer buffer;
    open_gpu(&gpu, true);
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
    };
    VkDebugUtilsMessengerEXT messenger;
    assert_int_equal(
        vkCreateDebugUtilsMessengerEXT(gpu.instance, &info, NULL, &messenger), VK_SUCCESS);
    const struct buffer_params params = { .name = "words of a test", .size = 4096 };
    assert_true(buffer_create(&gpu, &params, &buffer, &problem));
    VkCommandBuffer cmd = gpu_begin(&gpu, &problem);
    vkCmdFillBuffer(cmd, buffer.handle, 8192, 4, 0); // beyond its end
    assert_non_null(strstr(told, "words of a test"));
    assert_true(gpu.messages > 0);
    vkFreeCommandBuffers(gpu.device, gpu.pool, 1, &cmd);
    buffer_destroy(&gpu, &buffer);
    vkDestroyDebugUtilsMessengerEXT(gpu.instance, messenger, NULL);
    gpu_destroy(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_named),
        cmocka_unit_test(test_nothing_without_a_tool),
        cmocka_unit_test(test_a_message_names_the_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
