// What an image tells the driver of its views.
// ctest: plain
#include "compute/gpu/image.h"
#include "tests/device.h"

static PFN_vkCreateImage create_image;
static VkFormat formats[2]; // that the last image listed; 0: none

static VKAPI_ATTR VkResult VKAPI_CALL note_formats(
    VkDevice device, const VkImageCreateInfo *info, const VkAllocationCallbacks *host, VkImage *out)
{
    memset(formats, 0, sizeof formats);
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO) {
            const VkImageFormatListCreateInfo *list = (const void *)at;
            assert_int_equal(list->viewFormatCount, 2);
            memcpy(formats, list->pViewFormats, sizeof formats);
        }
    }
    return create_image(device, info, host, out);
}

// Drivers compress the colours of an image with views of two formats only if these are listed.
static void test_two_formats_are_listed(void **state)
{
    (void)state;
    struct problem problem;
    create_image = vkCreateImage;
    vkCreateImage = note_formats;
    struct image_params params = {
        .name = "image of a test",
        .format = VK_FORMAT_B8G8R8A8_SRGB,
        .width = 8,
        .height = 8,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    for (int two = 0; two < 2; two++) {
        struct image image;
        params.bytes = two ? VK_FORMAT_B8G8R8A8_UNORM : 0;
        REQUIRE(image_create(&gpu, &params, &image, &problem));
        assert_int_equal(formats[0], two ? params.format : 0);
        assert_int_equal(formats[1], params.bytes);
        image_destroy(&gpu, &image);
    }
    vkCreateImage = create_image;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_two_formats_are_listed) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
