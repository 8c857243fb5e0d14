// Preloaded into the viewer on an X server of depth 30. Mesa's software devices (22.3) put their
// pictures to the server as of depth 24, whatever depth the window has, and the server refuses
// them.
#include <dlfcn.h>
#include <stdint.h>

typedef struct {
    unsigned sequence;
} cookie; // xcb_void_cookie_t

__attribute__((visibility("default"))) cookie xcb_put_image(
    void *connection, uint8_t format, uint32_t drawable, uint32_t context, uint16_t width,
    uint16_t height, int16_t x, int16_t y, uint8_t left_pad, uint8_t depth, uint32_t size,
    const uint8_t *data)
{
    // Where GLFW opens its libraries itself (3.4), RTLD_NEXT does not find this one.
    void *library = dlopen("libxcb.so.1", RTLD_LAZY);
    cookie (*const real)(
        void *, uint8_t, uint32_t, uint32_t, uint16_t, uint16_t, int16_t, int16_t, uint8_t, uint8_t,
        uint32_t, const uint8_t *) = dlsym(library, "xcb_put_image");
    return real(
        connection, format, drawable, context, width, height, x, y, left_pad,
        depth == 24 ? 30 : depth, size, data);
}
