// Sessions: what is kept of the window in a file, and how the window begins with one.
#pragma once

#include "app/viewer/state.h"

// The size of the window in a session; 0 where it has none.
void window_session_window(const struct session_file *session, uint32_t *width, uint32_t *height);

// Sets what a session says of the window. PROBLEM_INPUT where a member is not of its kind.
bool window_session_begin(
    const struct session_file *session, struct settings *settings, struct problem *problem);

// The same for a window that is open, with the view that the session states.
bool window_session_state(
    const struct session_file *session, const struct stated *stated, struct settings *settings,
    struct problem *problem);

// Sets the isovalue of the open volume, and then the camera, as the view states them.
void window_session_place(struct viewer *viewer, const struct isovalue *iso);

// The session of the window as it is, for a file at `path`. `session`: the one before, whose
// unknown members are kept; NULL: none. session_file_write writes and frees it.
json_t *window_session_json(
    const struct viewer *viewer, const struct session_file *session, const char *path);

// Another volume is shown: a session of the one before is not written any more. Says so if it is
// not the volume that its session was saved with.
void window_session_open(struct viewer *viewer);

// Writes a session: into the file that the window began with or has written before, or else into a
// new one in the working directory.
void window_session_save(struct viewer *viewer);
