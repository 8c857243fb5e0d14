#compdef cubist
# zsh completion for cubist, which the program answers; printed by cubist --print zsh

_cubist() {
    local program=${~words[1]} line form
    local -a found
    whence -p -- $program >/dev/null || program=cubist
    local -a lines=("${(@f)$($program --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    [[ $PREFIX == --*=* ]] && compset -P '*='
    for line in $lines; do
        case $line in
        (/?*) _files -g "(#i)*(${${line#/}// /|})(-.)" ;;
        (/) _files ;;
        (:*) form=${line#:} ;;
        (*) found+=("${line%%$'\t'*}:${line#*$'\t'}") ;;
        esac
    done
    if (( $#found )); then
        _describe -t words cubist found
    elif [[ -n $form ]]; then
        _message -e words "$form"
    fi
}

# Found by compinit, or sourced.
if [[ $funcstack[1] == _cubist ]]; then
    _cubist "$@"
else
    compdef _cubist cubist
fi
