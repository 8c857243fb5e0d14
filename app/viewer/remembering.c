#include "app/viewer/remembering.h"

#include "app/base/fingerprint.h"
#include "app/base/user_folder.h"
#include "app/viewer/bindings.h"
#include "app/viewer/keeping.h"
#include "app/viewer/undoing.h"
#include "volumes/base/log.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 200 // files

static const char ending[] = ".cubist.json";

// The session of the open volume; malloc'ed. NULL: nothing is kept of it.
static char *remembering_path(const struct viewer *viewer)
{
    const struct document *document = viewer->document;
    char whole[PATH_MAX], name[64];
    if (!viewer->params->read_view || !document || !document->path ||
        strcmp(document->path, "-") == 0 || !realpath(document->path, whole)) {
        return NULL;
    }
    snprintf(name, sizeof name, "views/%016" PRIx64 "%s", fingerprint_text(whole), ending);
    return user_folder_path("XDG_STATE_HOME", ".local/state", name);
}

// Removes the oldest of the sessions beside this one if there are too many.
static void remembering_prune(const char *path)
{
    char folder[PATH_MAX], oldest[sizeof((struct dirent *)0)->d_name] = "";
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    DIR *list = opendir(folder);
    struct timespec least = { 0 };
    uint32_t count = 0;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct stat there;
        const size_t length = strlen(entry->d_name), end = sizeof ending - 1;
        if (length != 16 + end || strcmp(entry->d_name + 16, ending) != 0 ||
            fstatat(dirfd(list), entry->d_name, &there, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        const struct timespec time = there.st_mtim;
        if (count++ == 0 || time.tv_sec < least.tv_sec ||
            (time.tv_sec == least.tv_sec && time.tv_nsec < least.tv_nsec)) {
            least = time;
            snprintf(oldest, sizeof oldest, "%s", entry->d_name);
        }
    }
    if (count > MOST) {
        unlinkat(dirfd(list), oldest, 0);
    }
    if (list) {
        closedir(list);
    }
}

void remembering_leave(struct viewer *viewer)
{
    struct problem problem = { 0 };
    char *path = remembering_path(viewer);
    if (path && viewer->undo.present > 0) {
        if (user_folder_make(path, &problem) &&
            session_file_write(keeping_json(viewer, NULL, path), path, NULL, &problem)) {
            remembering_prune(path);
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
remembering_set(struct viewer *viewer, const struct session_file *session, struct problem *problem)
{
    const struct viewer_params *params = viewer->params;
    const struct document *document = viewer->document;
    const VkExtent2D size = viewer_area(viewer).extent;
    struct settings settings = viewer->settings;
    struct view *view = &settings.view;
    struct isovalue iso;
    const struct view before = *view;
    if (!session_file_is_of(session, document->path) ||
        !params->read_view(
            params->line, session, viewer->opening.with_options, view, &iso, problem) ||
        !keeping_begin(session, &settings, problem)) {
        return false;
    }
    view->samples = before.samples; // the renderer has been made for them
    if (!view->method || viewer_refuses(viewer, view->method)) {
        view->method = before.method;
    }
    view->iso = isovalue_resolve(&iso, &document->facts);
    view->iso_is_auto = iso.kind == ISOVALUE_AUTO;
    view_place(view, &document->volume, &viewer->document->placement);
    view_begin(view, &document->placement, &document->cubes, (float)size.width, (float)size.height);
    viewer->settings.view = *view;
    return true;
}

void remembering_recall(struct viewer *viewer)
{
    struct problem problem = { 0 };
    struct session_file session = { 0 };
    const bool own = viewer->opening.with_options && viewer->params->session;
    char *path = own ? NULL : remembering_path(viewer);
    if (path && access(path, F_OK) == 0) {
        char key[BINDINGS_TEXT];
        const bool fine = session_file_open(path, &session, &problem) &&
                          remembering_set(viewer, &session, &problem);
        session_file_close(&session);
        if (fine) {
            viewer->saving.recalled = true;
            undoing_note(viewer);
            undoing_begin_gesture(viewer);
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
