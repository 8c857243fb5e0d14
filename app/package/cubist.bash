# bash completion for cubist, which the program answers; printed by cubist --print bash

# Folders, and files with one of these endings; any file where there is none.
_cubist_files()
{
    local name ending
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        if [[ -d ${name/#\~/$HOME} || $# == 0 ]]; then
            COMPREPLY+=("$name")
            continue
        fi
        for ending; do
            if [[ ${name,,} == *"$ending" ]]; then
                COMPREPLY+=("$name")
                break
            fi
        done
    done < <(compgen -f -- "$current")
}

_cubist()
{
    local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME} line
    type -P "$program" >/dev/null || program=cubist
    COMPREPLY=()
    # bash makes three words of --type=uint8.
    [[ $current == '=' ]] && current=''
    while IFS= read -r line; do
        case $line in
        /*) _cubist_files ${line#/} ;;
        :*) ;;
        "$current"*) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("$program" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -F _cubist cubist
