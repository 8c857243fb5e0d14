#!/usr/bin/env bash
# Packs what a machine needs that has nothing but a GPU and its driver: cubist, the tests that use a
# device, their libraries, the Vulkan loader, a validation layer, and ten volumes.
#
#     tests/bench/pack.sh BUILD DATA OUT.tar.xz
#
# BUILD is a Release build with its tests, DATA a folder with the volumes below. first-on-a-gpu.md says how
# the pack is used.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
volumes=(
    aneurism_256x256x256_uint8.raw
    bonsai_256x256x256_uint8.raw
    bucky_32x32x32_uint8.raw
    engine_256x256x128_uint8.raw
    fuel_64x64x64_uint8.raw
    headsq_quarter_64x64x93_uint16.raw
    hydrogen_orbital_64x64x64_float32.raw
    ironprot_68x68x68_uint8.raw
    silicium_98x34x34_uint8.raw
    wmag_91x91x91_float32.raw
)

stop() {
    echo "pack.sh: $*" >&2
    exit 2
}

# Where the linker finds a library.
system_library() {
    ldconfig -p | awk -v name="$1" '$1 == name && !found { print $NF; found = 1 }'
}

# The manifest of the newest validation layer, among those of the system and of VK_LAYER_PATH. A layer
# that is older than the driver may complain of what it does not know.
newest_layer() {
    local folder manifest
    local paths=${VK_LAYER_PATH:-}
    for folder in ${paths//:/ } /usr/share/vulkan/explicit_layer.d \
        /usr/local/share/vulkan/explicit_layer.d; do
        manifest=$folder/VkLayer_khronos_validation.json
        if [ -e "$manifest" ]; then
            sed -n "s#.*\"api_version\": *\"\([0-9.]*\)\".*#\1 $manifest#p" "$manifest"
        fi
    done | sort -V | tail -n 1 | cut -d ' ' -f 2
}

# The library of a manifest: beside it, or where the linker looks.
layer_library() {
    local name
    name=$(sed -n 's/.*"library_path": *"\([^"]*\)".*/\1/p' "$1")
    if [ -e "$(dirname "$1")/$name" ]; then
        echo "$(dirname "$1")/$name"
    else
        system_library "$(basename "$name")"
    fi
}

[ $# = 3 ] || stop "usage: pack.sh BUILD DATA OUT.tar.xz"
build=$1 data=$2 out=$3
for tool in ldd strip tar xz; do
    command -v "$tool" >/dev/null || stop "$tool is missing (Debian: binutils, xz-utils)"
done
[ -x "$build/cubist" ] || stop "there is no cubist in $build; build it first"
for volume in "${volumes[@]}"; do
    [ -r "$data/$volume" ] || stop "the folder $data lacks $volume"
done
manifest=$(newest_layer)
[ -n "$manifest" ] || stop "there is no validation layer; install vulkan-validationlayers"
library=$(layer_library "$manifest")
[ -r "$library" ] || stop "the library of $manifest is not there"

pack=$(mktemp -d)
trap 'rm -rf "$pack" "$pack.xz"' EXIT
mkdir "$pack"/{bin,lib,layers,data}

for program in cubist cubist-bench; do
    strip "$build/$program" -o "$pack/bin/$program"
done
for source in $(grep -rlE --include='test_*.c' '^#include "tests/device\.h"' "$here/.."); do
    test=$(basename "$source" .c)
    [ -x "$build/tests/$test" ] || stop "there is no $test in $build/tests; build it first"
    strip "$build/tests/$test" -o "$pack/bin/$test"
done

# All libraries but those of the C library, which the driver there needs as they are. The loader is
# found at run time, so ldd does not name it.
{
    ldd "$pack"/bin/* "$library" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
        grep -vE '/(libc|libm|libdl|libpthread|librt)\.so'
    system_library libvulkan.so.1
} | sort -u | while read -r file; do
    cp -L "$file" "$pack/lib/"
done

cp -L "$library" "$pack/layers/"
sed "s#\"library_path\": *\"[^\"]*\"#\"library_path\": \"./$(basename "$library")\"#" "$manifest" \
    >"$pack/layers/VkLayer_khronos_validation.json"
for volume in "${volumes[@]}"; do
    cp "$data/$volume" "$pack/data/"
done
cp "$here/first.sh" "$pack/"

# The programs hold the same shaders, which a large dictionary finds again. Preset 6 would save 2 MB of 21, and
# take nine times as long.
tar -C "$pack" -cf - . | xz --lzma2=preset=1,dict=64MiB >"$pack.xz"
mv "$pack.xz" "$out"
echo "packed $(du -h "$out" | cut -f 1)B, with the layer of $manifest"
