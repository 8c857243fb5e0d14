// What the files of this room share: what is being opened, where the settings are kept, what is
// being written.
#pragma once

#include "app/viewer/files/exporter.h"
#include "app/viewer/files/undo.h"
#include "app/viewer/files/watch.h"
#include "app/viewer/forms/raw_form.h"
#include "app/viewer/methods/measurement.h"
#include "app/viewer/window/window.h"
#include "app/viewer/work/loader.h"
#include "app/viewer/work/works.h"
#include "volumes/base/output.h"

// Files that are being opened, or watched. works->uploading is what they are opened for.
struct open {
    struct loader *loader;       // NULL: nothing is being read
    struct extract *extract;     // uploads the document that is being uploaded
    double read_ms;              // time of reading it
    bool cancelled;              // the person cancelled it
    struct volume_params params; // how it is read
    bool with_options;           // read it with the options of the command line
    bool resuming;               // it was open before a device was lost: settings stay
    char *place;                 // path of the last requested file; its neighbours are opened next
    struct raw_file unsized;     // a form must ask about it
    int stepping;                // -1 or +1: Left or Right requested it; 0: neither
    struct source_files files;   // that were read last
    struct watch watch;          // of the open volume's files
    bool in_folder;              // a folder was requested: it is the first file
    uint32_t steps_left;         // how many further files of the folder may be opened
    uint32_t stepped_over;       // how many unreadable files were skipped
};

// A session that was opened in the window.
struct opened_session {
    struct session_file file;
    struct stated stated;
};

// Sessions, each NULL where there is none. `loading`: its volume is being read. `asks`: it waits
// for a missing volume. `shown`: its volume is open.
struct store {
    struct opened_session *loading, *asks, *shown;
    const struct session_file *waits; // for its volume: of `asks`, or that of the command line
    bool needs_form;                  // the form that asks is not shown yet
    struct problem why;               // what is said if it waits in vain
    const struct session_file *own;   // of the open volume: `shown`, or that of the command line
    char *path;                       // where the next session is written; NULL: to a new file
    bool recalled;                    // the volume was shown as it was left last time
    struct view begun;                // the view that the volume was shown with,
    struct view last; // and the view that it would have had without the command line
};

struct saver {
    char path[OUTPUT_PLACED];  // of the mesh that was requested last
    struct exporter *exporter; // NULL: no mesh is being written
};

struct files {
    const struct viewer_params *params;
    struct works *works;
    struct message *message;
    struct settings *settings;
    struct undo *undo;               // of the view
    struct measurement *measurement; // ends with the volume
    struct window *window;           // gets the title, and what is copied
    const struct ui *ui;             // says how much of the window the panel takes
    struct open open;
    struct store store;
    struct saver saver;
    struct problem nothing_opened; // why no volume could be opened; kind 0 after one was
};
