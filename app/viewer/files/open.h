// Opens and closes volumes.
#pragma once

#include "app/viewer/state.h"

// Starts to load a file (NULL: the generated volume). Cancels one that is being loaded. Of a folder
// of volumes it loads the first one; of a folder of slices all of them; of a session its volume.
// The options of the command line count for the path that it names.
bool open_start(struct viewer *viewer, const char *path, struct problem *problem);

// The same for a file that is read with these params. `with_options`: the isovalue and the view of
// the command line are for it, too.
bool open_start_as(
    struct viewer *viewer, const char *path, const struct volume_params *params, bool with_options,
    struct problem *problem);

// Opens what the person has chosen in a form or has dropped. If a session waits for a missing
// volume, this is its volume. Else it is opened by itself. A path that names a session is always
// opened by itself: its volume is loaded, or asked for.
bool open_chosen(struct viewer *viewer, const char *path, struct problem *problem);

// Loads the open file once more.
bool open_reload(struct viewer *viewer, struct problem *problem);
void open_cancel(struct open *opening);

// Starts to load the file `step` places from the last requested file in its folder.
void open_step(struct viewer *viewer, int step);

// --watch: loads the open file once more if it has changed.
void open_look(struct viewer *viewer);

// When a file has been read, begins to upload it to the device. False: the problem must end the
// viewer.
bool open_take(struct viewer *viewer, struct problem *problem);

// Uploads for a moment. Shows the volume when it is uploaded. False: as above.
bool open_go_on(struct viewer *viewer, struct problem *problem);

void open_end(struct viewer *viewer); // cancels what is being opened
