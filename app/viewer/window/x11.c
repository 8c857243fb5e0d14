#include "app/viewer/window/x11.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

// XErrorEvent of Xlib.h. Its layout never changes: compiled programs rely on it.
struct x11_error {
    int type;
    void *display;
    unsigned long resource, serial;
    unsigned char code, request, minor;
};
enum { BAD_WINDOW = 3, BAD_DRAWABLE = 9 }; // as in X.h

typedef int x11_handler(void *display, struct x11_error *error);
typedef int x11_io_handler(void *display);
typedef void x11_exit_handler(void *display, void *user);

static struct {
    x11_handler *(*set_handler)(x11_handler *handler); // NULL: GLFW does not use X11
    unsigned long window;
    uint64_t passed_over;
    bool window_is_gone, server_is_gone;
} x11;

// Errors that do the window no harm may name it, too. For example, a window cannot get the focus
// while it is invisible.
static int x11_note(void *display, struct x11_error *error)
{
    (void)display;
    const bool gone = error->code == BAD_WINDOW || error->code == BAD_DRAWABLE;
    if (gone && error->resource == x11.window) {
        x11.window_is_gone = true;
    } else {
        x11.passed_over++;
    }
    return 0;
}

static int x11_note_server(void *display)
{
    (void)display;
    x11.server_is_gone = true;
    return 0;
}

// Xlib calls this instead of exit().
static void x11_stay(void *display, void *user)
{
    (void)display, (void)user;
}

void x11_begin(void *handle)
{
    // ISO C cannot convert a data pointer to a function pointer, so the pointer is copied as data.
    void *(*get_display)(void);
    unsigned long (*get_window)(void *handle);
    void (*set_io_handler)(x11_io_handler * handler);
    void (*set_exit_handler)(void *display, x11_exit_handler *handler, void *user);
    *(void **)&get_display = dlsym(RTLD_DEFAULT, "glfwGetX11Display");
    *(void **)&get_window = dlsym(RTLD_DEFAULT, "glfwGetX11Window");
    void *display = get_display && get_window ? get_display() : NULL; // NULL: GLFW uses Wayland
    void *library = display ? dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!library) {
        return;
    }
    x11.window = get_window(handle);
    x11.window_is_gone = false;
    *(void **)&x11.set_handler = dlsym(library, "XSetErrorHandler");
    // Before libX11 1.7 a lost connection always ends the process.
    *(void **)&set_io_handler = dlsym(library, "XSetIOErrorHandler");
    *(void **)&set_exit_handler = dlsym(library, "XSetIOErrorExitHandler");
    if (set_io_handler && set_exit_handler) {
        set_io_handler(x11_note_server);
        set_exit_handler(display, x11_stay, NULL);
    }
    x11_renew();
}

void x11_renew(void)
{
    if (x11.set_handler) {
        x11.set_handler(x11_note);
    }
}

uint64_t x11_passed_over(void)
{
    return x11.passed_over;
}

const char *x11_lost(void)
{
    return x11.server_is_gone   ? "the connection to the X server is lost"
           : x11.window_is_gone ? "another program has destroyed the window"
                                : NULL;
}
