"""A client of the X server. It sends the events of a person: keys, buttons and moves, by the XTEST
extension; and those of a window manager or another program: sizes, icons, dropped files. It uses the two
libraries of xdotool through ctypes."""
import ctypes
import ctypes.util
import time
import urllib.parse

SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33
REPLACE, CURRENT = 0, 0
XA_ATOM, XA_CARDINAL = 4, 6
Window = Atom = Time = ctypes.c_ulong


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", Window), ("message_type", Atom),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("owner", Window), ("requestor", Window),
                ("selection", Atom), ("target", Atom), ("property", Atom), ("time", Time)]


class Selection(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("requestor", Window), ("selection", Atom),
                ("target", Atom), ("property", Atom), ("time", Time)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("request", SelectionRequest),
                ("selection", Selection), ("room", ctypes.c_long * 24)]


def library(name):
    """The library with this soname; None if it is not installed."""
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


X, TEST = library("libX11.so.6"), library("libXtst.so.6")
HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
IGNORE = HANDLER(lambda display, error: 0)  # a window may be gone, or not viewable at the moment
if X:
    X.XOpenDisplay.restype = ctypes.c_void_p
    X.XOpenDisplay.argtypes = [ctypes.c_char_p]
    X.XDefaultRootWindow.restype = Window
    X.XCreateSimpleWindow.restype = Window
    X.XInternAtom.restype = Atom
    X.XStringToKeysym.restype = ctypes.c_ulong


class Person:
    def __init__(self):
        self.display = ctypes.c_void_p(X.XOpenDisplay(None))
        if not self.display:
            raise AssertionError("the X server cannot be reached")
        X.XSetErrorHandler(IGNORE)
        X.XAutoRepeatOff(self.display) # so that only sent events arrive
        self.root = X.XDefaultRootWindow(self.display)
        self.own = X.XCreateSimpleWindow(self.display, Window(self.root), -10, -10, 1, 1, 0, Window(0), Window(0))
        self.codes = {}
        self.flush()

    def atom(self, name):
        return X.XInternAtom(self.display, name.encode(), 0)

    def flush(self):
        X.XSync(self.display, 0)

    def close(self):
        X.XAutoRepeatOn(self.display)
        X.XCloseDisplay(self.display)

    # ---- keys and mouse

    def set_resources(self, text):
        """The person's settings for all programs, as in ~/.Xresources."""
        data = text.encode()
        X.XChangeProperty(self.display, Window(self.root), Atom(self.atom("RESOURCE_MANAGER")),
                          Atom(self.atom("STRING")), 8, REPLACE, data, len(data))
        self.flush()

    def key(self, name, down):
        if name not in self.codes:
            symbol = X.XStringToKeysym(name.encode())
            self.codes[name] = X.XKeysymToKeycode(self.display, ctypes.c_ulong(symbol))
            if not self.codes[name]:
                raise AssertionError(f"there is no key {name}")
        TEST.XTestFakeKeyEvent(self.display, self.codes[name], int(down), ctypes.c_ulong(0))
        self.flush()

    def button(self, number, down):
        TEST.XTestFakeButtonEvent(self.display, number, int(down), ctypes.c_ulong(0))
        self.flush()

    def move(self, x, y):
        TEST.XTestFakeMotionEvent(self.display, -1, int(x), int(y), ctypes.c_ulong(0))
        self.flush()

    # ---- what a window manager does

    def focus(self, window):
        X.XSetInputFocus(self.display, Window(window), 1, Time(0))
        self.flush()

    def resize(self, window, width, height):
        X.XMoveResizeWindow(self.display, Window(window), 0, 0, int(width), int(height))
        self.flush()

    def set_state(self, window, state):
        """WM_STATE: 1 normal, 3 an icon."""
        name = self.atom("WM_STATE")
        data = (ctypes.c_long * 2)(state, 0)
        X.XChangeProperty(self.display, Window(window), Atom(name), Atom(name), 32, REPLACE, ctypes.byref(data), 2)
        self.flush()

    def unmap(self, window):
        X.XUnmapWindow(self.display, Window(window))
        self.flush()

    def map(self, window):
        X.XMapRaised(self.display, Window(window))
        self.flush()

    # ---- drag and drop (XDND, version 5)

    def tell(self, window, name, *data):
        event = Event()
        event.client = ClientMessage(CLIENT_MESSAGE, 0, 1, None, window, self.atom(name), 32,
                                     (ctypes.c_long * 5)(*data, *[0] * (5 - len(data))))
        X.XSendEvent(self.display, Window(window), 0, ctypes.c_long(0), ctypes.byref(event))
        self.flush()

    def drop(self, window, path, patience):
        """Drops the file; true once the window has taken its name."""
        uris = self.atom("text/uri-list")
        text = ("file://" + urllib.parse.quote(path) + "\r\n").encode()
        X.XSetSelectionOwner(self.display, Atom(self.atom("XdndSelection")), Window(self.own), Time(0))
        self.tell(window, "XdndEnter", self.own, 5 << 24, uris)
        self.tell(window, "XdndPosition", self.own, 0, 0, 0, self.atom("XdndActionCopy"))
        self.tell(window, "XdndDrop", self.own, 0, 0)
        end = time.monotonic() + patience
        while time.monotonic() < end:
            while X.XPending(self.display):
                event = Event()
                X.XNextEvent(self.display, ctypes.byref(event))
                if event.type == SELECTION_REQUEST:
                    self.answer(event.request, text)
                elif event.type == CLIENT_MESSAGE and event.client.message_type == self.atom("XdndFinished"):
                    return True
            time.sleep(0.002)
        return False

    # ---- the clipboard

    def paste(self, patience):
        """The bytes that another program has copied; None if there are none in time."""
        place = self.atom("CUBIST_PASTE")
        end, asks = time.monotonic() + patience, 0
        while time.monotonic() < end:
            if time.monotonic() >= asks:  # whoever is about to copy does not own the clipboard yet
                X.XConvertSelection(self.display, Atom(self.atom("CLIPBOARD")), Atom(self.atom("UTF8_STRING")), Atom(place),
                                    Window(self.own), Time(0))
                self.flush()
                asks = end
            while X.XPending(self.display):
                event = Event()
                X.XNextEvent(self.display, ctypes.byref(event))
                if event.type == SELECTION_NOTIFY:
                    if event.selection.property:
                        return self.text_of(place)
                    asks = time.monotonic() + 0.1
            time.sleep(0.002)
        return None

    def text_of(self, place):
        """The property of the own window, up to 64 KiB."""
        kind, form, count, more = Atom(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        data = ctypes.c_void_p()
        X.XGetWindowProperty(self.display, Window(self.own), Atom(place), ctypes.c_long(0), ctypes.c_long(1 << 14), 1,
                             Atom(0), ctypes.byref(kind), ctypes.byref(form), ctypes.byref(count), ctypes.byref(more),
                             ctypes.byref(data))
        text = ctypes.string_at(data, count.value) if data else b""
        X.XFree(data)
        return text

    def answer(self, asked, text):
        X.XChangeProperty(self.display, Window(asked.requestor), Atom(asked.property), Atom(asked.target), 8, REPLACE,
                          text, len(text))
        event = Event()
        event.selection = Selection(SELECTION_NOTIFY, 0, 1, None, asked.requestor, asked.selection, asked.target,
                                    asked.property, asked.time)
        X.XSendEvent(self.display, Window(asked.requestor), 0, ctypes.c_long(0), ctypes.byref(event))
        self.flush()
