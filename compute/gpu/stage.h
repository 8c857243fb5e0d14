// The stages that timers measure separately. Code compares the kind; the name is for people.
#pragma once

enum stage_kind {
    STAGE_PASS, // one pass of a method, which has a name of its own
    // Stages of an extraction step. The stages of removals exist only for methods that remove.
    STAGE_BRICK_REMOVALS,
    STAGE_BRICKS,
    STAGE_CLASSIFY,
    STAGE_CELL_REMOVALS,
    STAGE_CELLS,
    STAGE_VERTICES,
    STAGE_TRIANGLES,
    STAGE_FINISH,
    // Stages of a stream that is compacted for a measurement.
    STAGE_COUNTERS, // the counters and dispatch arguments are set
    // A copy of the words, for a method that works in place; not part of the method's time.
    STAGE_COPY,
    STAGE_ADDED, // words join a list in place
    STAGE_MARK,  // marks the words that a removal list names
    STAGE_WORD_REMOVALS,
    STAGE_COMPACTION,
    // Stages of a cast of rays.
    STAGE_UPDATE,    // updates the boxes over what the isovalue meets
    STAGE_GENERATE,  // in rounds: finds the rays that meet the volume
    STAGE_MARCH,     // the caster's kernel, or that of a round
    STAGE_TRAVERSE,  // in rounds, through boxes: finds the rays that reach a leaf
    STAGE_INTERSECT, // in rounds: continues these rays in their leaves
    STAGE_TAIL,      // the rays that are left after the rounds
    STAGE_POINTS,    // positions and normals
    // Stages of a frame of the viewer.
    STAGE_EXTRACTION,
    STAGE_PICTURE,
    STAGE_PANEL,
    STAGE_KINDS
};

struct stage {
    enum stage_kind kind;
    const char *name; // constant data
};

// The stage of this kind, with its name. Not for STAGE_PASS.
struct stage stage_of(enum stage_kind kind);
