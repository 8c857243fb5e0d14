// The session of the open volume, and the one that waits for a missing volume.
#pragma once

#include "app/viewer/state.h"

// The missing volume of the command line's session will be asked for.
void sessions_ask(struct viewer *viewer);

// The session that waits for a missing volume; NULL: none.
const struct session_file *sessions_waiting(const struct viewer *viewer);

// The sentence that asks for the missing volume; "" where no session waits. `out` has `size` bytes.
void sessions_question(const struct viewer *viewer, char *out, size_t size);

// The person does not say where the volume is.
void sessions_cancel(struct viewer *viewer);

void sessions_leave(struct viewer *viewer); // another file is being opened

// The loaded volume is viewer->document. If it was loaded for a session, sets what that states.
// Before window_session_open.
void sessions_show(struct viewer *viewer);

void sessions_free(struct opened_session **session); // *session may be NULL, and is NULL after it
void sessions_end(struct sessions *sessions);
