// The message over the picture: the last thing that the window has to say.
#pragma once

#include "app/viewer/base/schedule.h"
#include "volumes/base/problem.h"

// The subject of a message that disappears by itself.
enum about {
    ABOUT_OTHERS,
    ABOUT_SURFACE, // there was no memory for it: removed with the next surface that gets memory
    ABOUT_TYPED,   // the typed text is no isovalue: removed with the next one that is
    ABOUT_PICTURE, // there was no memory for it: removed with the next picture that gets memory
};

struct message {
    struct schedule *schedule; // draws it
    char text[1000];           // empty: there is none
    bool is_error;
    enum about about;
    double until; // in window_time; 0: until the next message
};

// Shows a text for some seconds instead of the message before.
void message_say(struct message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Shows an error until the next message.
void message_complain(struct message *message, const struct problem *problem, enum about about);
void message_unsay(struct message *message);
