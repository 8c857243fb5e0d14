// Names of keys. A printable key is its ASCII character: letters upper case, as on the person's
// keyboard layout; digits by their place, also those of the keypad. Punctuation without Ctrl and
// Alt is the character that is typed, with whatever keys. The other keys follow here.
#pragma once

enum key {
    KEY_NONE = 0,
    KEY_SPACE = ' ',
    KEY_ESCAPE = 256,
    KEY_ENTER,
    KEY_TAB,
    KEY_BACKSPACE,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_DOWN,
    KEY_UP,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_INSERT,
    KEY_DELETE,
    KEY_F1,
    KEY_F5 = KEY_F1 + 4,
    KEY_F11 = KEY_F1 + 10,
    KEY_F12,
};

enum key_mods { MOD_SHIFT = 1, MOD_CTRL = 2, MOD_ALT = 4 };
