// One store of settings as text, in files of sessions: those that the person saves and opens, and
// the last view of each file. The latter is kept in the user's state when the file is left, and
// shown again when it is opened. $XDG_STATE_HOME/cubist/views/, or ~/.local/state/cubist/views/,
// has it under a name made from the file's path. That is a convenience: errors are not shown.
#pragma once

#include "app/viewer/files/files.h"

// The size of the window in a session; 0 where it has none, or `session` is NULL.
void store_size(const struct session_file *session, uint32_t *width, uint32_t *height);

// The settings of a new window: those that are `kept`; NULL: the view that it is started with, and
// what its session says of the window. PROBLEM_INPUT where a member is not of its kind.
bool store_first(struct files *files, const struct settings *kept, struct problem *problem);

// Sets the view's method to the next one that can run, `step` rows from it. False: none can.
bool store_next_method(struct files *files, int step);
// The first method: the one that the view names, if it can run. PROBLEM_UNSUPPORTED.
bool store_first_method(struct files *files, struct problem *problem);

// Reads a session without its volume, for a window with these settings. NULL: PROBLEM_INPUT, or
// out of memory.
struct opened_session *store_open(
    const char *path, const struct viewer_params *params, struct settings settings,
    struct problem *problem);
void store_free(struct opened_session **session); // *session may be NULL, and is NULL after it

// A session waits for its missing volume, which a form asks for: `file`, of `session`, which the
// store owns from now on, or of the command line, and `session` is NULL. `why` is said if it waits
// in vain.
void store_ask(
    struct store *store, struct opened_session *session, const struct session_file *file,
    const struct problem *why);

// The person does not say where the volume is. False: no session waited.
bool store_give_up(struct store *store);

// Call it when files->works->document is a newly loaded volume. Sets isovalue and camera. They come
// from the session for which the volume was loaded; else from the command line, if it names this
// volume; else they are the volume's defaults. `again`: the volume was reloaded. Then the camera
// and an isovalue that the person set stay; an automatic isovalue is computed from the new data.
void store_show(struct files *files, bool again);

// The volume at this path is shown: a session of the one before is not written any more. False: it
// is not the volume that its session was saved with.
bool store_begin(struct store *store, const char *volume);
void store_end(struct store *store);

// Writes a session: into the file that the window began with or has written before, or else into a
// new one in the working directory.
void store_save(struct files *files);

// The volume is left: another one will be shown, or the window closes. Keeps its view if the person
// has changed it, and forgets it if the person went back to the first one.
void store_leave(struct files *files);

// The volume has just been opened. Shows it as it was left, if it is the same file still; that can
// be undone. Not where the window goes on with a session.
void store_recall(struct files *files);
