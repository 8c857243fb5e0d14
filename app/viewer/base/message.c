#include "app/viewer/base/message.h"

#include "app/viewer/window/window.h"
#include "volumes/base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MESSAGE_SECONDS = 8;

static void message_set(struct message *message, bool is_error, enum about about, double until)
{
    message->is_error = is_error;
    message->about = about;
    message->until = until;
    schedule_redraw(message->schedule, 2);
}

void message_say(struct message *message, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    const bool fine = vasprintf(&text, format, arguments) >= 0;
    va_end(arguments);
    printable_copy(fine ? text : format, message->text, sizeof message->text);
    free(fine ? text : NULL);
    message_set(message, false, ABOUT_OTHERS, window_time() + MESSAGE_SECONDS);
}

void message_complain(struct message *message, const struct problem *problem, enum about about)
{
    memcpy(message->text, problem->text, sizeof message->text);
    message_set(message, true, about, 0);
}

void message_unsay(struct message *message)
{
    message->text[0] = 0;
    message_set(message, message->is_error, ABOUT_OTHERS, 0);
}
