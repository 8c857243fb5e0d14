#include "app/settings/setting.h"

#include <stddef.h>
#include <string.h>

void *setting_in(const struct setting *setting, struct view *view)
{
    return (char *)view + (setting->place - offsetof(struct settings, view));
}

const void *setting_of(const struct setting *setting, const struct view *view)
{
    return (const char *)view + (setting->place - offsetof(struct settings, view));
}

bool setting_is_set(const struct setting *setting, const struct view *view)
{
    const char *bytes = setting_of(setting, view);
    size_t i = 0;
    while (i < setting->size && bytes[i] == 0) {
        i++;
    }
    return i < setting->size;
}

static bool setting_parse_switch(const struct setting *setting, const char *text, struct view *view)
{
    (void)text;
    *(bool *)setting_in(setting, view) = true;
    return true;
}

static const char *setting_print_switch(
    const struct setting *setting, const struct view *view, char text[SETTING_TEXT])
{
    (void)text;
    return setting_is_set(setting, view) ? "" : NULL;
}

const struct setting_type setting_switch = { setting_parse_switch, setting_print_switch };

static bool setting_parse_word(const struct setting *setting, const char *text, struct view *view)
{
    unsigned *word = setting_in(setting, view); // as every enum without negative values
    *word = 0;
    while (*word < setting->count && strcmp(setting->names[*word], text) != 0) {
        ++*word;
    }
    return *word < setting->count;
}

static const char *
setting_print_word(const struct setting *setting, const struct view *view, char text[SETTING_TEXT])
{
    (void)text;
    const unsigned word = *(const unsigned *)setting_of(setting, view);
    return word ? setting->names[word] : NULL;
}

const struct setting_type setting_word = { setting_parse_word, setting_print_word };
