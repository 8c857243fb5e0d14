#include "app/viewer/files/sessions.h"

#include "app/viewer/files/loader.h"
#include "app/viewer/files/window_session.h"
#include "volumes/base/printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sessions_free(struct opened_session **session)
{
    if (*session) {
        session_file_close(&(*session)->file);
    }
    free(*session);
    *session = NULL;
}

const struct session_file *sessions_waiting(const struct viewer *viewer)
{
    const struct sessions *sessions = &viewer->sessions;
    return sessions->asks_for_line ? viewer->params->session
           : sessions->asks        ? &sessions->asks->file
                                   : NULL;
}

void sessions_question(const struct viewer *viewer, char *out, size_t size)
{
    const struct session_file *session = sessions_waiting(viewer);
    char name[300], stated[800];
    *out = 0;
    if (session) {
        printable_copy(loader_file_name(session->path), name, sizeof name);
        printable_copy(session->stated, stated, sizeof stated);
        snprintf(
            out, size, "The session %s shows the volume %s, which is not there. Where is it?", name,
            stated);
    }
}

void sessions_ask(struct viewer *viewer)
{
    viewer->sessions.asks_for_line = true;
    viewer->sessions.why = *viewer->params->missing;
    viewer->sessions.needs_form = true;
}

void sessions_cancel(struct viewer *viewer)
{
    if (sessions_waiting(viewer)) {
        viewer->sessions.asks_for_line = false;
        sessions_free(&viewer->sessions.asks);
        viewer_complain(viewer, &viewer->sessions.why);
    }
}

void sessions_leave(struct viewer *viewer)
{
    sessions_free(&viewer->sessions.loading);
}

void sessions_show(struct viewer *viewer)
{
    struct sessions *sessions = &viewer->sessions;
    const struct viewer_params *params = viewer->params;
    const bool of_line =
        viewer->opening.with_options && params->session && params->session->volume == params->path;
    struct problem problem;
    sessions_free(&sessions->shown);
    sessions->shown = sessions->loading;
    sessions->loading = NULL;
    const struct opened_session *shown = sessions->shown;
    sessions->own = shown ? &shown->file : of_line ? params->session : NULL;
    // sessions_read has found nothing wrong.
    if (shown && window_session_state(&shown->file, &shown->stated, &viewer->settings, &problem)) {
        viewer_scale_text(viewer, viewer->settings.text_scale);
        window_session_place(viewer, &shown->stated.iso);
    }
}

void sessions_end(struct sessions *sessions)
{
    sessions_free(&sessions->loading);
    sessions_free(&sessions->asks);
    sessions_free(&sessions->shown);
}
