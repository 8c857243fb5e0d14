#include "app/viewer/window/window.h"

#include "app/viewer/window/x11.h"
#include "compute/gpu/gpu.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// GLFW declares its Vulkan calls only if vulkan.h was included before; volk.h provides the types.
VkResult glfwCreateWindowSurface(
    VkInstance instance, GLFWwindow *window, const VkAllocationCallbacks *allocator,
    VkSurfaceKHR *surface);
int glfwGetPhysicalDevicePresentationSupport(
    VkInstance instance, VkPhysicalDevice device, uint32_t queuefamily);

struct window {
    GLFWwindow *handle;
    struct window_event *events; // waiting events: `count` from `first` on
    uint32_t first, count, room;
    char **paths; // dropped files, for events that wait
    uint32_t path_count;
    int windowed[4];  // x, y, width, height before full screen
    double cursor[2]; // at the last move
    bool moved;       // the cursor has moved at least once
    bool pressed;     // the last event is a pressed key: its character may follow
    bool on_keypad;   // the last key that was pressed is one of the keypad
    struct window_counts counts;
};

static void window_forget_error(int code, const char *text)
{
    (void)code, (void)text; // glfwGetError reads it where it matters
}

#ifdef GLFW_PLATFORM // from GLFW 3.4 on; earlier ones were built for one platform
// GLFW tries Wayland first. Use Wayland only if the environment names its display. Otherwise its
// library may connect to another one, or write to standard error that it finds none.
static int window_platform(void)
{
    const char *name = getenv("WAYLAND_DISPLAY"), *folder = getenv("XDG_RUNTIME_DIR");
    const bool found = name && (*name == '/' || (*name && folder && *folder == '/'));
    return found ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11;
}
#endif

bool window_available(void)
{
    glfwSetErrorCallback(window_forget_error);
#ifdef GLFW_PLATFORM
    glfwInitHint(GLFW_PLATFORM, window_platform());
#endif
    return glfwInit() == GLFW_TRUE; // a second call does nothing
}

const char *window_lost(void)
{
    return x11_lost();
}

static void window_push(struct window *window, const struct window_event *event)
{
    struct window_counts *counts = &window->counts;
    window->pressed = false;
    counts->keys += event->kind == WINDOW_KEY;
    counts->buttons += event->kind == WINDOW_BUTTON;
    counts->moves += event->kind == WINDOW_MOVE;
    counts->scrolls += event->kind == WINDOW_SCROLL;
    counts->drops += event->kind == WINDOW_DROP;
    // Moves are merged, because there may be many in a slow frame.
    if (event->kind == WINDOW_MOVE && window->count) {
        struct window_event *last = &window->events[window->first + window->count - 1];
        if (last->kind == WINDOW_MOVE) {
            *last = *event;
            return;
        }
    }
    if (window->count == window->room) {
        const uint32_t room = window->room ? 2 * window->room : 64;
        struct window_event *events = realloc(window->events, room * sizeof *events);
        if (!events) {
            return; // out of memory: the event is lost
        }
        window->events = events;
        window->room = room;
    }
    if (window->first + window->count == window->room) {
        memmove(window->events, window->events + window->first, window->count * sizeof *event);
        window->first = 0;
    }
    window->events[window->first + window->count++] = *event;
    window->pressed = event->kind == WINDOW_KEY;
}

static int window_mods_of(int mods)
{
    return (mods & GLFW_MOD_SHIFT ? MOD_SHIFT : 0) | (mods & GLFW_MOD_CONTROL ? MOD_CTRL : 0) |
           (mods & GLFW_MOD_ALT ? MOD_ALT : 0);
}

static bool window_is_punctuation(int character)
{
    return character > ' ' && character < 127 && !isalnum(character);
}

// The character that a US keyboard has on this key.
static int window_plain_key(int key)
{
    return key > 0 && key < 127 ? key : KEY_NONE;
}

// Letters and punctuation follow the keyboard layout. A letter of another alphabet counts as the US
// letter on its key. Digits follow the key's position: some layouts need Shift for them.
static int window_key_of(int key, int scancode)
{
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9)
        return '0' + key - GLFW_KEY_KP_0;
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12)
        return KEY_F1 + key - GLFW_KEY_F1;
    switch (key) {
    case GLFW_KEY_ESCAPE:
        return KEY_ESCAPE;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
        return KEY_ENTER;
    case GLFW_KEY_TAB:
        return KEY_TAB;
    case GLFW_KEY_BACKSPACE:
        return KEY_BACKSPACE;
    case GLFW_KEY_LEFT:
        return KEY_LEFT;
    case GLFW_KEY_RIGHT:
        return KEY_RIGHT;
    case GLFW_KEY_DOWN:
        return KEY_DOWN;
    case GLFW_KEY_UP:
        return KEY_UP;
    case GLFW_KEY_HOME:
        return KEY_HOME;
    case GLFW_KEY_END:
        return KEY_END;
    case GLFW_KEY_PAGE_UP:
        return KEY_PAGE_UP;
    case GLFW_KEY_PAGE_DOWN:
        return KEY_PAGE_DOWN;
    case GLFW_KEY_INSERT:
        return KEY_INSERT;
    case GLFW_KEY_DELETE:
        return KEY_DELETE;
    case GLFW_KEY_KP_ADD:
        return '=';
    case GLFW_KEY_KP_SUBTRACT:
        return '-';
    }
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9)
        return key;
    const char *name = glfwGetKeyName(key, scancode);
    if (name && name[0] > ' ' && name[0] < 127 && !name[1])
        return name[0] >= 'a' && name[0] <= 'z' ? name[0] - 'a' + 'A' : name[0];
    return !name || (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) ? window_plain_key(key) : KEY_NONE;
}

static void window_to_pixels(GLFWwindow *handle, double x, double y, struct window_event *event)
{
    int width, height, pixels_x, pixels_y;
    glfwGetWindowSize(handle, &width, &height);
    glfwGetFramebufferSize(handle, &pixels_x, &pixels_y);
    event->x = (float)(width > 0 ? x * pixels_x / width : x);
    event->y = (float)(height > 0 ? y * pixels_y / height : y);
}

// Whether AltGr is held: it selects another character of the key. A right Alt key that is no AltGr
// sets GLFW_MOD_ALT.
static bool window_alters(GLFWwindow *handle, int mods)
{
    return !(mods & GLFW_MOD_ALT) && glfwGetKey(handle, GLFW_KEY_RIGHT_ALT) == GLFW_PRESS;
}

// Whether a key does nothing by itself, because window_on_char gives the event a character. Some
// input methods send that character only after the event was handled.
static bool window_awaits_character(GLFWwindow *handle, int key, int mods)
{
    return (key < KEY_ESCAPE && window_alters(handle, mods)) ||
           (window_is_punctuation(key) && !(mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)));
}

static void window_on_key(GLFWwindow *handle, int key, int scancode, int action, int mods)
{
    struct window_event event = { .kind = WINDOW_RELEASE, .key = window_key_of(key, scancode) };
    if (action != GLFW_RELEASE) {
        event.kind = WINDOW_KEY;
        if (window_awaits_character(handle, event.key, mods)) {
            event.key = KEY_NONE;
        }
        event.mods = window_mods_of(mods);
        event.repeat = action == GLFW_REPEAT;
    }
    struct window *window = glfwGetWindowUserPointer(handle);
    window->on_keypad = key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL;
    window_push(window, &event);
}

// The cursor's position when the event happened. GLFW only knows the current position.
static void window_cursor_then(GLFWwindow *handle, double *x, double *y)
{
    const struct window *window = glfwGetWindowUserPointer(handle);
    if (window->moved) {
        *x = window->cursor[0];
        *y = window->cursor[1];
    } else {
        glfwGetCursorPos(handle, x, y);
    }
}

static void window_on_button(GLFWwindow *handle, int button, int action, int mods)
{
    if (button > GLFW_MOUSE_BUTTON_MIDDLE)
        return;
    double x, y;
    window_cursor_then(handle, &x, &y);
    struct window_event event = {
        .kind = WINDOW_BUTTON,
        .button = button == GLFW_MOUSE_BUTTON_LEFT    ? WINDOW_LEFT
                  : button == GLFW_MOUSE_BUTTON_RIGHT ? WINDOW_RIGHT
                                                      : WINDOW_MIDDLE,
        .down = action == GLFW_PRESS,
        .mods = window_mods_of(mods),
    };
    window_to_pixels(handle, x, y, &event);
    window_push(glfwGetWindowUserPointer(handle), &event);
}

static void window_on_move(GLFWwindow *handle, double x, double y)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    window->cursor[0] = x;
    window->cursor[1] = y;
    window->moved = true;
    struct window_event event = { .kind = WINDOW_MOVE };
    window_to_pixels(handle, x, y, &event);
    window_push(glfwGetWindowUserPointer(handle), &event);
}

static bool window_held(GLFWwindow *handle, int left, int right)
{
    return glfwGetKey(handle, left) == GLFW_PRESS || glfwGetKey(handle, right) == GLFW_PRESS;
}

static void window_on_scroll(GLFWwindow *handle, double dx, double dy)
{
    (void)dx;
    double x, y;
    window_cursor_then(handle, &x, &y);
    struct window_event event = { .kind = WINDOW_SCROLL, .steps = (float)dy };
    if (window_held(handle, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL))
        event.mods |= MOD_CTRL;
    if (window_held(handle, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT))
        event.mods |= MOD_SHIFT;
    window_to_pixels(handle, x, y, &event);
    window_push(glfwGetWindowUserPointer(handle), &event);
}

static void window_on_drop(GLFWwindow *handle, int count, const char **paths)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    if (count < 1)
        return;
    char *path = strdup(paths[0]);
    char **all = path ? realloc(window->paths, (window->path_count + 1) * sizeof *all) : NULL;
    if (!all) {
        free(path);
        return;
    }
    window->paths = all;
    window->paths[window->path_count++] = path;
    window_push(
        window,
        &(struct window_event){ .kind = WINDOW_DROP, .path = path, .more = (uint32_t)count - 1 });
}

static void window_push_kind(GLFWwindow *handle, enum window_event_kind kind)
{
    window_push(glfwGetWindowUserPointer(handle), &(struct window_event){ .kind = kind });
}

static void window_on_extent(GLFWwindow *handle, int width, int height)
{
    (void)width, (void)height;
    window_push_kind(handle, WINDOW_RESIZE);
}

static void window_on_close(GLFWwindow *handle)
{
    glfwSetWindowShouldClose(handle, GLFW_FALSE);
    window_push_kind(handle, WINDOW_CLOSE);
}

static void window_on_refresh(GLFWwindow *handle)
{
    window_push_kind(handle, WINDOW_OTHER);
}

static void window_on_flag(GLFWwindow *handle, int flag)
{
    (void)flag;
    window_push_kind(handle, WINDOW_OTHER);
}

static void window_on_char(GLFWwindow *handle, unsigned int character)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    if (character > 126 || !window_is_punctuation((int)character) || window->on_keypad) {
        window_push_kind(handle, WINDOW_OTHER);
    } else if (window->pressed && window->count > 0) {
        window->events[window->first + window->count - 1].character = (int)character;
        window->pressed = false;
    } else {
        window_push(
            window, &(struct window_event){ .kind = WINDOW_TYPED, .character = (int)character });
    }
}

static const char *window_glfw_reason(void)
{
    const char *why = NULL;
    glfwGetError(&why);
    return why ? why : "no reason given";
}

// Shrinks a window that the display's scale has made larger than the screen.
static void window_fit_screen(struct window *window)
{
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    int x, y, width, height, most_width = 0, most_height = 0;
    if (monitor && window_scale(window) > 1) {
        glfwGetMonitorWorkarea(monitor, &x, &y, &most_width, &most_height);
        glfwGetWindowSize(window->handle, &width, &height);
        most_width = most_width * 9 / 10;
        most_height = most_height * 9 / 10;
        glfwSetWindowSize(
            window->handle, width < most_width ? width : most_width,
            height < most_height ? height : most_height);
    }
}

bool window_create(
    const char *title, uint32_t width, uint32_t height, struct window **out,
    struct problem *problem)
{
    *out = NULL;
    if (!window_available())
        return problem_set(
            problem, PROBLEM_NO_DEVICE,
            "no window: there is no display to open it on (set DISPLAY, or use "
            "`cubist render`)");
    struct window *window = calloc(1, sizeof *window);
    if (!window)
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a window");
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "cubist");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "cubist");
#ifdef GLFW_WAYLAND_APP_ID // from GLFW 3.4 on
    glfwWindowHintString(GLFW_WAYLAND_APP_ID, "cubist");
#endif
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, width == 0);
    window->handle =
        glfwCreateWindow(width ? (int)width : 1280, width ? (int)height : 800, title, NULL, NULL);
    if (!window->handle) {
        problem_set(
            problem, PROBLEM_NO_DEVICE, "the window cannot be opened: %s", window_glfw_reason());
        free(window);
        return false;
    }
    if (width == 0) {
        window_fit_screen(window);
    }
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, window_on_key);
    glfwSetCharCallback(window->handle, window_on_char);
    glfwSetMouseButtonCallback(window->handle, window_on_button);
    glfwSetCursorPosCallback(window->handle, window_on_move);
    glfwSetScrollCallback(window->handle, window_on_scroll);
    glfwSetDropCallback(window->handle, window_on_drop);
    glfwSetFramebufferSizeCallback(window->handle, window_on_extent);
    glfwSetWindowCloseCallback(window->handle, window_on_close);
    glfwSetWindowRefreshCallback(window->handle, window_on_refresh);
    glfwSetWindowFocusCallback(window->handle, window_on_flag);
    glfwSetWindowIconifyCallback(window->handle, window_on_flag);
    glfwSetCursorEnterCallback(window->handle, window_on_flag);
    x11_begin(window->handle);
    *out = window;
    return true;
}

static void window_free_paths(struct window *window)
{
    for (uint32_t i = 0; i < window->path_count; i++)
        free(window->paths[i]);
    free(window->paths);
    window->paths = NULL;
    window->path_count = 0;
}

void window_destroy(struct window *window)
{
    const bool gone = window && window_lost();
    if (window) {
        window_free_paths(window);
        if (!gone) {
            glfwDestroyWindow(window->handle);
        }
        free(window->events);
        free(window);
    }
    if (!gpu_abandoned && !gone) {
        glfwTerminate();
    }
}

void window_leave(struct window *window)
{
    glfwHideWindow(window->handle);
}

void window_show(struct window *window)
{
    glfwShowWindow(window->handle);
}

void window_set_title(struct window *window, const char *title)
{
    glfwSetWindowTitle(window->handle, title);
}

const char *const *window_extensions(uint32_t *count)
{
    *count = 0;
    const char **names = glfwGetRequiredInstanceExtensions(count);
    return (const char *const *)names;
}

bool window_presents(VkInstance instance, VkPhysicalDevice physical, uint32_t queue_family)
{
    return glfwGetPhysicalDevicePresentationSupport(instance, physical, queue_family);
}

bool window_surface(
    struct window *window, VkInstance instance, VkSurfaceKHR *out, struct problem *problem)
{
    *out = VK_NULL_HANDLE;
    const VkResult result = glfwCreateWindowSurface(instance, window->handle, NULL, out);
    if (result != VK_SUCCESS)
        return problem_set(
            problem, PROBLEM_NO_DEVICE, "the window has no Vulkan surface (VkResult %d): %s",
            result, window_glfw_reason());
    return true;
}

void window_extent(struct window *window, uint32_t *width, uint32_t *height)
{
    int w = 0, h = 0;
    if (!glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED))
        glfwGetFramebufferSize(window->handle, &w, &h);
    if (window_lost()) // GLFW does not set the size then
        w = h = 0;
    *width = w > 0 && h > 0 ? (uint32_t)w : 0;
    *height = w > 0 && h > 0 ? (uint32_t)h : 0;
}

void window_largest(uint32_t *width, uint32_t *height)
{
    int count = 0;
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    *width = *height = 0;
    for (int i = 0; i < count; i++) {
        const GLFWvidmode *mode = glfwGetVideoMode(monitors[i]);
        if (mode && (uint64_t)mode->width * mode->height > (uint64_t)*width * *height) {
            *width = (uint32_t)mode->width;
            *height = (uint32_t)mode->height;
        }
    }
}

double window_interval(void)
{
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    return 1.0 / (mode && mode->refreshRate > 0 ? mode->refreshRate : 60);
}

float window_scale(struct window *window)
{
    float x = 1, y = 1;
    glfwGetWindowContentScale(window->handle, &x, &y);
    return x >= 0.5f && x <= 8 ? x : 1;
}

void window_toggle_fullscreen(struct window *window)
{
    int *w = window->windowed;
    if (glfwGetWindowMonitor(window->handle)) {
        glfwSetWindowMonitor(window->handle, NULL, w[0], w[1], w[2], w[3], GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (!mode)
        return;
    glfwGetWindowPos(window->handle, &w[0], &w[1]);
    glfwGetWindowSize(window->handle, &w[2], &w[3]);
    glfwSetWindowMonitor(
        window->handle, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void window_poll(double seconds)
{
    x11_renew();
    if (seconds > 0)
        glfwWaitEventsTimeout(seconds);
    else
        glfwPollEvents();
}

bool window_next(struct window *window, struct window_event *out)
{
    if (!window->count) {
        window_free_paths(window);
        return false;
    }
    *out = window->events[window->first];
    window->first++;
    window->count--;
    return true;
}

const struct window_counts *window_counted(struct window *window)
{
    window->counts.errors = x11_passed_over();
    return &window->counts;
}

void window_copy(struct window *window, const char *text)
{
    glfwSetClipboardString(window->handle, text);
}

void window_wake(void)
{
    glfwPostEmptyEvent();
}

double window_time(void)
{
    return glfwGetTime();
}

void *window_handle(struct window *window)
{
    return window->handle;
}
