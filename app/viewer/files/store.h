// Stores settings as text, in session files: those that the person saves and opens, and the last
// view of each volume file. The last view is written when the volume is left, and shown when it is
// opened again. It is in $XDG_STATE_HOME/cubist/views/, or ~/.local/state/cubist/views/, and its
// name is made from the volume's path. Last views are a convenience: errors are not shown.
#pragma once

#include "app/viewer/files/files.h"

// The size of the window in a session; 0 if the session has none or is NULL.
void store_size(const struct session_file *session, uint32_t *width, uint32_t *height);

// Sets the settings of a new window to `kept`. NULL: to the view that the window is started with,
// and what its session states of the window. PROBLEM_INPUT if a member of the session is wrong.
bool store_first(struct files *files, const struct settings *kept, struct problem *problem);

// Sets the view's method to the next one that can run. `step`: -1 or +1 rows. False: none can run.
bool store_next_method(struct files *files, int step);
// Selects the view's first method. PROBLEM_UNSUPPORTED: the requested method cannot run, or none.
bool store_first_method(struct files *files, struct problem *problem);

// Reads a session without its volume, for a window with these settings. NULL: PROBLEM_INPUT, or
// out of memory.
struct opened_session *store_open(
    const char *path, const struct viewer_params *params, struct settings settings,
    struct problem *problem);
void store_free(struct opened_session **session); // *session may be NULL, and is NULL after it

// Lets a form ask for the missing volume of the session `file`. `session` contains `file`, and the
// store owns it from now on. NULL: `file` is of the command line. `why` is shown if the person does
// not say where the volume is.
void store_ask(
    struct store *store, struct opened_session *session, const struct session_file *file,
    const struct problem *why);

// Call it if the person does not say where the volume is. False: no session waited for one.
bool store_give_up(struct store *store);

// Call it when files->works->document is a newly loaded volume. Sets isovalue and camera. They come
// from the session for which the volume was loaded; else from the command line, if it names this
// volume; else they are the volume's defaults. `again`: the volume was reloaded. Then the camera
// and an isovalue that the person set stay; an automatic isovalue is computed from the new data.
// `fits`: the camera moves all the same so that the surfaces fill the picture.
void store_show(struct files *files, bool again, bool fits);

// Call it when the volume at this path is shown. From now on store_save writes to the file of the
// volume's session, if it has one. False: the session was saved with another volume.
bool store_begin(struct store *store, const char *volume);
void store_end(struct store *store);

// Writes a session: into the file that the window began with or has written before, or else into a
// new one in the working directory.
void store_save(struct files *files);

// Call it before another volume is shown or the window closes. Writes the last view if the person
// has changed the view. Deletes it if the person has undone all changes.
void store_leave(struct files *files);

// Call it when a volume has just been opened. Shows its last view if the file is still the same;
// the person can undo that. Does nothing if the volume belongs to a session.
void store_recall(struct files *files);
