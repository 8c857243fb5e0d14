# fish completion for cubist, which the program answers; printed by cubist --print fish

# __cubist_files CURRENT ENDING...: folders, and files with one of these endings; any file where there is none.
function __cubist_files
    for name in (complete -C"__cubist_no_such_command $argv[1]" | string replace -r '\t.*' '')
        if string match -q -- '*/' $name; or not set -q argv[2]
            echo $name
            continue
        end
        for ending in $argv[2..]
            if string match -q -i -- "*$ending" $name
                echo $name
                break
            end
        end
    end
end

function __cubist
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l before (string match -r -- '^--[a-z-]+=' $current)
    set -l program cubist
    type -q -- $words[1]; and set program $words[1]
    for line in ($program --complete $words[2..] "$current" 2>/dev/null)
        switch $line
            case '/*'
                set -l typed (string replace -- "$before" '' $current)
                printf "$before%s\n" (__cubist_files "$typed" (string split -n ' ' (string sub -s 2 $line)))
            case ':*'
            case '*'
                echo "$before$line"
        end
    end
end

complete -c cubist -f -k -a '(__cubist)'
