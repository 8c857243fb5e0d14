// The stages that timers tell apart. Code goes by the kind; the name is for people.
#pragma once

enum stage_kind {
    STAGE_PASS, // a pass of a method by itself: it brings its own name
    // Of a step of the extraction. Removal lists only for methods that remove.
    STAGE_BRICK_REMOVALS,
    STAGE_BRICKS,
    STAGE_CLASSIFY,
    STAGE_CELL_REMOVALS,
    STAGE_CELLS,
    STAGE_VERTICES,
    STAGE_TRIANGLES,
    STAGE_FINISH,
    // Of a stream that is compacted for a measurement.
    STAGE_COUNTERS, // what the compaction starts from
    STAGE_COPY,     // of the words, to where a method works in place: no work of the method's
    STAGE_MARK,     // words that a given list removes
    STAGE_WORD_REMOVALS,
    STAGE_COMPACTION,
    // Of a frame of the viewer.
    STAGE_EXTRACTION,
    STAGE_PICTURE,
    STAGE_PANEL,
    STAGE_KINDS
};

struct stage {
    enum stage_kind kind;
    const char *name; // constant data
};

// The stage of a kind other than STAGE_PASS, with its name.
struct stage stage_of(enum stage_kind kind);
