#include "app/viewer/files/last_view.h"

#include "app/base/fingerprint.h"
#include "app/base/user_folder.h"
#include "app/settings/bindings.h"
#include "app/viewer/files/undo_steps.h"
#include "app/viewer/files/window_session.h"
#include "volumes/base/log.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST   200            // files
#define ENDING ".cubist.json" // of their names, after 16 digits

// The session of the open volume; malloc'ed. NULL: nothing is kept of it.
static char *last_view_path(const struct viewer *viewer)
{
    const struct document *document = viewer->document;
    char whole[PATH_MAX], name[64];
    if (!viewer->params->remembers || !document || !document->path ||
        strcmp(document->path, "-") == 0 || !realpath(document->path, whole)) {
        return NULL;
    }
    snprintf(name, sizeof name, "views/%016" PRIx64 ENDING, fingerprint_text(whole));
    return user_folder_path("XDG_STATE_HOME", ".local/state", name);
}

void last_view_leave(struct viewer *viewer)
{
    struct problem problem = { 0 };
    char *path = last_view_path(viewer);
    if (path && viewer->undo.present > 0) {
        if (user_folder_make(path, &problem) &&
            session_file_write(
                window_session_json(viewer, NULL, path), path, NULL, true, &problem)) {
            user_folder_prune(path, 16, ENDING, MOST);
        } else if (viewer->params->verbose) {
            log_note("%s", problem.text);
        }
    } else if (path && viewer->saving.recalled) {
        unlink(path);
    }
    viewer->saving.recalled = false;
    free(path);
}

// Sets the view as the session states it.
static bool
last_view_set(struct viewer *viewer, const struct session_file *session, struct problem *problem)
{
    const struct viewer_params *params = viewer->params;
    const bool with_line = viewer->opening.with_options;
    struct settings settings = viewer->settings;
    const struct method *method = settings.view.method;
    struct stated stated;
    if (!session_file_is_of(session, viewer->document->path) ||
        !params->read_stated(params->line, session, with_line, &stated, problem) ||
        !window_session_state(session, &stated, &settings, problem)) {
        return false;
    }
    if (viewer_refuses(viewer, settings.view.method)) {
        settings.view.method = method;
    }
    viewer->settings.view = settings.view;
    window_session_place(viewer, &stated.iso);
    return true;
}

void last_view_recall(struct viewer *viewer)
{
    struct problem problem = { 0 };
    struct session_file session = { 0 };
    char *path = viewer->sessions.own || (viewer->opening.with_options && viewer->params->session)
                     ? NULL
                     : last_view_path(viewer);
    if (path && access(path, F_OK) == 0) {
        char key[BINDINGS_TEXT];
        const bool fine = session_file_open(path, &session, &problem) &&
                          last_view_set(viewer, &session, &problem);
        session_file_close(&session);
        if (fine) {
            viewer->saving.recalled = true;
            undo_steps_note(viewer);
            undo_steps_begin_gesture(viewer);
        }
        if (fine && !viewer->message.text[0] && *bindings_key("undo", key)) {
            viewer_say(
                viewer, "This is your last view of the file. %s shows the default view.", key);
        } else if (problem.text[0] && viewer->params->verbose) {
            log_note("%s", problem.text);
        }
    }
    free(path);
}
