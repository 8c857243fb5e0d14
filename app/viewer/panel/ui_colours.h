// The colours of the panel and of what is drawn over the picture, and which text stands on what.
// tests/app/viewer/test_contrast.py computes from these tables that each text can be read: its contrast is at
// least 4.5, as WCAG 2 wants it.
#pragma once

// COLOUR(name, red, green, blue, alpha): sRGB.
#define UI_COLOURS(COLOUR)                                                                         \
    COLOUR(GROUND, 24, 26, 31, 255)       /* of the panel, the help and messages */                \
    COLOUR(WELL, 13, 15, 18, 255)         /* of lists and diagrams */                              \
    COLOUR(POPUP, 20, 20, 20, 240)        /* of tooltips */                                        \
    COLOUR(FIELD, 255, 255, 255, 18)      /* text fields: a layer on the ground */                 \
    COLOUR(FIELD_OVER, 255, 255, 255, 28) /* under the mouse */                                    \
    COLOUR(FIELD_DOWN, 255, 255, 255, 36) /* while it is used */                                   \
    COLOUR(BUTTON, 255, 255, 255, 23)                                                              \
    COLOUR(BUTTON_OVER, 255, 255, 255, 41)                                                         \
    COLOUR(BUTTON_DOWN, 240, 179, 92, 115)                                                         \
    COLOUR(LIT, 240, 180, 92, 102)   /* a button that is on */                                     \
    COLOUR(CHOSEN, 240, 180, 92, 38) /* the line of a list that is selected */                     \
    COLOUR(FAINT, 255, 255, 255, 22) /* the line of a list under the mouse; rules */               \
    COLOUR(TEXT, 232, 235, 240, 255)                                                               \
    COLOUR(DIM, 166, 173, 184, 255)                                                                \
    COLOUR(QUIET, 150, 157, 168, 255) /* what is read least */                                     \
    COLOUR(BONE, 236, 214, 178, 255)  /* the surface's front */                                    \
    COLOUR(SLATE, 104, 132, 156, 255) /* and back, a little lighter; not for text */               \
    COLOUR(ACCENT, 240, 180, 92, 255)                                                              \
    COLOUR(ERROR_TEXT, 255, 132, 116, 255)

// ON(text, ground, layer): the layer lies on the ground; the ground itself where there is none.
#define UI_TEXTS(ON)                                                                               \
    ON(TEXT, GROUND, GROUND)                                                                       \
    ON(TEXT, GROUND, FIELD)                                                                        \
    ON(TEXT, GROUND, FIELD_OVER)                                                                   \
    ON(TEXT, GROUND, FIELD_DOWN)                                                                   \
    ON(TEXT, GROUND, BUTTON)                                                                       \
    ON(TEXT, GROUND, BUTTON_OVER)                                                                  \
    ON(TEXT, GROUND, BUTTON_DOWN)                                                                  \
    ON(TEXT, GROUND, FAINT)                                                                        \
    ON(TEXT, GROUND, CHOSEN)                                                                       \
    ON(QUIET, GROUND, FAINT)                                                                       \
    ON(QUIET, GROUND, CHOSEN)                                                                      \
    ON(TEXT, GROUND, LIT)                                                                          \
    ON(TEXT, GROUND, POPUP)                                                                        \
    ON(TEXT, WELL, WELL)                                                                           \
    ON(TEXT, WELL, FAINT)                                                                          \
    ON(TEXT, WELL, CHOSEN)                                                                         \
    ON(DIM, GROUND, GROUND)                                                                        \
    ON(DIM, WELL, WELL)                                                                            \
    ON(QUIET, GROUND, GROUND)                                                                      \
    ON(QUIET, GROUND, FIELD)                                                                       \
    ON(QUIET, GROUND, FIELD_OVER)                                                                  \
    ON(QUIET, WELL, WELL)                                                                          \
    ON(QUIET, WELL, FAINT)                                                                         \
    ON(QUIET, WELL, CHOSEN)                                                                        \
    ON(BONE, GROUND, GROUND)                                                                       \
    ON(ACCENT, GROUND, GROUND)                                                                     \
    ON(ACCENT, WELL, CHOSEN)                                                                       \
    ON(ERROR_TEXT, GROUND, GROUND)
