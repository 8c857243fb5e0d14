// The last view of each file: kept in the user's state when the file is left, shown again when it
// is opened. $XDG_STATE_HOME/cubist/views/, or ~/.local/state/cubist/views/, has a session for each
// file, under a name made from the file's path. All of it is a convenience: errors are not shown.
#pragma once

#include "app/viewer/state.h"

// The volume is left: another one will be shown, or the window closes. Keeps its view if the person
// has changed it, and forgets it if the person went back to the first one.
void last_view_leave(struct viewer *viewer);

// The volume has just been opened. Shows it as it was left, if it is the same file still; that can
// be undone. Not where the window goes on with a session.
void last_view_recall(struct viewer *viewer);
