// The message over the picture. A new message replaces the one before.
#pragma once

#include "app/viewer/base/schedule.h"
#include "volumes/base/problem.h"

// The subject of a message. The window removes a message when the reason for it ends.
enum about {
    ABOUT_OTHERS,
    ABOUT_SURFACE, // no memory for a surface: removed when a surface gets memory
    ABOUT_TYPED,   // typed text is no isovalue: removed when an isovalue is typed
    ABOUT_PICTURE, // no memory for a picture: removed when a picture gets memory
};

struct message {
    struct schedule *schedule; // is asked for frames when the message changes
    char text[1000];           // empty: there is no message
    bool is_error;
    enum about about;
    double until; // when it disappears, in window_time; 0: with the next message
};

// Shows a text for some seconds. It replaces the message before.
void message_say(struct message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Shows an error until the next message.
void message_complain(struct message *message, const struct problem *problem, enum about about);
void message_unsay(struct message *message);
