#include "app/viewer/files/open_choice.h"

#include "app/viewer/files/open.h"
#include "app/viewer/files/sessions.h"
#include "app/viewer/files/window_session.h"

#include <stdlib.h>

// Reads all of a session but its volume.
static bool open_choice_read(
    struct viewer *viewer, const char *path, struct opened_session *out, struct problem *problem)
{
    const struct viewer_params *params = viewer->params;
    struct settings settings = viewer->settings;
    return session_file_open(path, &out->file, problem) &&
           params->read_stated(params->line, &out->file, false, &out->stated, problem) &&
           window_session_state(&out->file, &out->stated, &settings, problem);
}

// Loads the file for the session, which is freed where that fails.
static bool open_choice_load(
    struct viewer *viewer, struct opened_session *session, const char *path,
    struct problem *problem)
{
    const bool fine = open_start_as(viewer, path, &session->stated.volume, false, problem);
    if (fine) {
        viewer->sessions.loading = session;
    } else {
        sessions_free(&session);
    }
    return fine;
}

// Loads the volume of a session, or lets the form ask where it is.
static bool
open_choice_start_session(struct viewer *viewer, const char *path, struct problem *problem)
{
    struct opened_session *session = calloc(1, sizeof *session);
    if (!session) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory reading a session");
    }
    if (!open_choice_read(viewer, path, session, problem)) {
        sessions_free(&session);
        return false;
    }
    if (session_file_find(&session->file, problem)) {
        return open_choice_load(viewer, session, session->file.volume, problem);
    }
    if (!session->file.stated) { // it names no file
        sessions_free(&session);
        return false;
    }
    sessions_free(&viewer->sessions.asks);
    viewer->sessions.asks = session;
    viewer->sessions.asks_for_line = false;
    viewer->sessions.why = *problem;
    viewer->sessions.needs_form = true;
    return true;
}

bool open_choice_open(struct viewer *viewer, const char *path, struct problem *problem)
{
    struct sessions *sessions = &viewer->sessions;
    struct opened_session *asks = sessions->asks;
    const bool of_line = sessions->asks_for_line;
    sessions->asks = NULL;
    sessions->asks_for_line = false;
    if (session_file_named(path)) {
        sessions_free(&asks);
        return open_choice_start_session(viewer, path, problem);
    }
    if (!asks && !of_line) {
        return open_start(viewer, path, problem);
    }
    return of_line ? open_start_as(viewer, path, viewer->params->volume, true, problem)
                   : open_choice_load(viewer, asks, path, problem);
}
