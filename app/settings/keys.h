// Names of keys. A printable key is its ASCII character. Letters are upper case and follow the
// keyboard layout. Digits follow the position of the key, also on the keypad. Punctuation without
// Ctrl and Alt is the typed character, whichever keys type it. Other keys have names here.
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
