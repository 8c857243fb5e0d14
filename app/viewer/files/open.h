// Opens and closes volumes.
#pragma once

#include "app/viewer/files/files.h"

// Starts to load a file (NULL: the generated volume). Cancels one that is being loaded. Of a folder
// of volumes it loads the first one; of a folder of slices all of them; of a session its volume.
// The options of the command line count for the path that it names.
bool open_start(struct files *files, const char *path, struct problem *problem);

// The same for a file that is read with these params. `with_options`: the isovalue and the view of
// the command line are for it, too.
bool open_start_as(
    struct files *files, const char *path, const struct volume_params *params, bool with_options,
    struct problem *problem);

// Opens what the person has chosen in a form or has dropped. If a session waits for a missing
// volume, this is its volume. Else it is opened by itself. A path that names a session is always
// opened by itself: its volume is loaded, or asked for.
bool open_chosen(struct files *files, const char *path, struct problem *problem);

// Loads the open file once more.
bool open_reload(struct files *files, struct problem *problem);
void open_cancel(struct open *opening);

// Starts to load the file `step` places from the last requested file in its folder.
void open_step(struct files *files, int step);

// The path of the open file, or of its session. NULL: none is open, or it is the generated volume.
const char *open_path(const struct files *files);

// Waits for the file that is being read, at most so long.
void open_await(struct files *files, double ms);

// --watch: loads the open file once more if it has changed.
void open_look(struct files *files);

// When a file has been read, begins to upload it to the device. False: the problem must end the
// viewer.
bool open_take(struct files *files, struct problem *problem);

// Uploads for a moment. Shows the volume when it is uploaded. False: as above.
bool open_go_on(struct files *files, struct problem *problem);

void open_end(struct files *files); // cancels what is being opened
