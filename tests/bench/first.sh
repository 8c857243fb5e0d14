#!/bin/sh
# What to run first on a GPU, on a machine that has nothing else but the GPU's driver. pack.sh packs this
# file with all that it needs. After unpacking:
#
#     sh first.sh 1 OUT     is it right?
#     sh first.sh 2 OUT     how fast is it?
#
# Each ends within ten minutes, and leaves in the folder OUT: partN.txt, a line for each item; partN.log,
# all that was printed; partN.json, a line for each measurement; part 1 also two pictures. The items that
# say most come first, so a run that is cut short has said something.
#
# For a trial elsewhere: LIMIT=N, seconds in all; SMALL=FILE, a volume in place of the two large ones;
# MANY=N and SOME=N, words to compact; BIG=N, the side of a cube that is generated.

part=${1:-1}
out=${2:-${OUT:-out}}
limit=${LIMIT:-570}
many=${MANY:-64M}
some=${SOME:-4M}
big=${BIG:-512}
began=$(date +%s)
if [ "$part" != 1 ] && [ "$part" != 2 ]; then
    echo "usage: sh first.sh 1|2 OUT" >&2
    exit 2
fi
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
cd "$here" || exit 1
mkdir -p need home

export HOME="$here/home" XDG_CACHE_HOME="$here/home" XDG_CONFIG_HOME="$here/home" XDG_STATE_HOME="$here/home"
export VK_LAYER_PATH="$here/layers"
cubist=$here/bin/cubist
bonsai=data/${SMALL:-bonsai_256x256x256_uint8.raw}
aneurism=data/${SMALL:-aneurism_256x256x256_uint8.raw}
fuel=data/fuel_64x64x64_uint8.raw
log=$out/part$part.log
sums=$out/part$part.txt
json=$out/part$part.json
: >"$log"
: >"$sums"
: >"$json"

# Puts the libraries that this machine lacks into need/. It keeps its own where it has them: an older
# one of ours could break its driver. A library may need others, so this is done again.
add_libraries() {
    for _ in 1 2 3; do
        for name in $(LD_LIBRARY_PATH=need ldd bin/* layers/*.so 2>/dev/null |
            awk '/not found/ { print $1 }' | sort -u); do
            if [ -e "lib/$name" ]; then
                cp "lib/$name" need/
            fi
        done
    done
    if ! ldconfig -p 2>/dev/null | grep -q 'libvulkan\.so\.1'; then
        cp lib/libvulkan.so.1 need/
    fi
    export LD_LIBRARY_PATH="$here/need"
}

# Names the driver's manifest where it lies outside the folders in which a loader looks.
find_driver() {
    [ -z "$VK_DRIVER_FILES$VK_ICD_FILENAMES" ] || return 0
    for manifest in /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json; do
        [ ! -e "$manifest" ] || return 0
    done
    manifest=$(find / -xdev -name 'nvidia_icd*.json' 2>/dev/null | head -n 1)
    [ -n "$manifest" ] || manifest=$(find / -xdev -path '*icd.d/*.json' 2>/dev/null | head -n 1)
    if [ -n "$manifest" ]; then
        export VK_DRIVER_FILES="$manifest" VK_ICD_FILENAMES="$manifest"
    fi
}

# begin SECONDS NAME: sets `most`, the time for an item. False where none is left for it.
begin() {
    most=$((limit - $(date +%s) + began))
    [ "$most" -lt "$1" ] || most=$1
    if [ "$most" -lt 5 ]; then
        echo "LATE $2" >>"$sums"
        return 1
    fi
    start=$(date +%s)
}

# end STATUS NAME: the line of an item. 77 is a test that finds nothing to do.
end() {
    case $1 in
    0) word=ok ;;
    77) word=SKIP ;;
    124 | 137) word=TIME ;;
    *) word=FAIL ;;
    esac
    echo "$word $1 $(($(date +%s) - start))s $2" | tee -a "$sums"
}

# try SECONDS NAME COMMAND...: what it prints goes to the log.
try() {
    begin "$1" "$2" || return 0
    name=$2
    shift 2
    echo "==== $name: $*" >>"$log"
    timeout -k 5 "$most" "$@" >>"$log" 2>&1
    end $? "$name"
}

# measure SECONDS NAME COMMAND...: its JSON becomes a line of the file of measurements.
measure() {
    begin "$1" "$2" || return 0
    name=$2
    shift 2
    echo "==== $name: $* --json" >>"$log"
    timeout -k 5 "$most" "$@" --json >one.json 2>>"$log"
    status=$?
    result=null
    [ ! -s one.json ] || result=$(tr '\n' ' ' <one.json)
    printf '{"name": "%s", "rc": %d, "result": %s}\n' "$name" "$status" "$result" >>"$json"
    end "$status" "$name"
}

device() {
    {
        uname -a
        nproc
        nvidia-smi
        ls /dev/dri /dev/nvidia*
        echo "driver: ${VK_DRIVER_FILES:-in its usual place}"
        echo "libraries of the pack:" need/*
    } >>"$log" 2>&1
    try 60 devices "$cubist" devices --json
    if ! grep -q '"usable": *true' "$log"; then
        echo "no usable device; the log has what the loader says" | tee -a "$sums"
        try 60 loader env VK_LOADER_DEBUG=all "$cubist" devices
    fi
}

is_it_right() {
    try 60 first-picture "$cubist" render "$fuel" -o "$out/fuel.png" --size 640x480
    export CUBIST="$cubist" CUBIST_DATA="$here/data"
    tests="subgroups barriers run compaction extraction lookback pyramid redzone block_methods moves
        arrange capacity lists rows image part_size parts casting cast_masks cast_edges cast_shadow
        cast_bvh wavefront cast_parts composite calibrate pipeline_cache"
    for name in $tests; do
        try 60 "test_$name" "bin/test_$name"
    done
    for volume in "$fuel" data/silicium_98x34x34_uint8.raw data/hydrogen_orbital_64x64x64_float32.raw \
        data/headsq_quarter_64x64x93_uint16.raw "$bonsai"; do
        try 60 "verify $volume" "$cubist" verify "$volume" --method all
        try 60 "rays $volume" "$cubist" verify "$volume" --draw rays --caster all --size 640x480
    done
    try 60 "validated verify" "$cubist" verify "$fuel" --method all --validate
    try 60 "validated rays" "$cubist" verify "$fuel" --draw rays --validate --size 320x240
    try 30 "rays picture" "$cubist" render "$bonsai" --iso 36.5 --draw rays --shadow --size 960x720 \
        -o "$out/rays.png"
    # What is not in the list above, and the other volumes.
    for test in bin/test_*; do
        for name in $tests; do
            [ "$test" != "bin/test_$name" ] || continue 2
        done
        try 60 "${test#bin/}" "$test"
    done
    for volume in data/bucky_32x32x32_uint8.raw data/ironprot_68x68x68_uint8.raw \
        data/wmag_91x91x91_float32.raw data/engine_256x256x128_uint8.raw "$aneurism"; do
        try 60 "verify $volume" "$cubist" verify "$volume" --method all
    done
}

how_fast_is_it() {
    measure 60 extract "$cubist" bench extract "$bonsai" --iso 36.5,72.5,160.5 \
        --method ink-collate,lookback,ink-compact,histopyramid-vec4 --repeat 31
    measure 60 mesh "$cubist" extract "$bonsai" --iso 36.5 -o "$here/mesh.stl"
    rm -f "$here/mesh.stl"
    measure 60 extract-image "$cubist" bench extract "$bonsai" --iso 36.5,72.5 --method ink-collate \
        --storage image --repeat 15
    measure 60 extract-aneurism "$cubist" bench extract "$aneurism" --iso 70.5,165.5 \
        --method ink-collate --repeat 31
    measure 60 extract-all "$cubist" bench extract "$bonsai" --iso 36.5 --method all --repeat 9
    measure 90 compaction-many "$cubist" bench compaction --size "$many" --density 10,50 \
        --method ink-collate,lookback,ink-compact,chag,single-pass --repeat 5
    measure 60 compaction-all "$cubist" bench compaction --size "$some" --density 10,50 --method all --repeat 9
    measure 60 cast "$cubist" bench cast "$bonsai" --iso 36.5 --caster all --views 3 --repeat 5
    measure 40 view "$cubist" bench view "$bonsai" --iso 36.5 --draw triangles,rays
    cube=big_${big}x${big}x${big}_uint8.raw
    try 60 "generate $big" "$cubist" generate gyroid -o "$cube" --dims "$big"
    measure 60 "extract-$big" "$cubist" bench extract "$cube" --method ink-collate,lookback --repeat 5
    try 60 "verify $big" "$cubist" verify "$cube" --method ink-collate
    rm -f "$cube"
    try 60 calibrate "$cubist" bench calibrate --quick
}

count() {
    grep -c "^$1 " "$sums"
}

add_libraries
find_driver
device
case $part in 1) is_it_right ;; 2) how_fast_is_it ;; esac
# So that the files can be carried away, a log that is too long keeps its end.
tail -c 12000000 "$log" >"$log.cut" && mv "$log.cut" "$log"
echo "part $part: $(count ok) ok, $(count FAIL) failed, $(count TIME) too slow, $(count LATE) not begun," \
    "$(count SKIP) skipped, $(($(date +%s) - began)) s" | tee -a "$sums"
