#!/usr/bin/env bash
# memory.sh SOURCE SHADERS [SECONDS]: fuzzes with MemorySanitizer, which finds every use of
# uninitialised memory. Targets that use libtiff, expat or jansson are left out, because these are not built
# for it.
set -eu
build=$PWD/fuzz-memory
command -v clang >/dev/null || { echo "no clang"; exit 77; }
cmake -G Ninja -S "$1" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS='-O1 -g -fsanitize=memory -fno-omit-frame-pointer' \
    -DCMAKE_EXE_LINKER_FLAGS=-fsanitize=memory -DCMAKE_DISABLE_FIND_PACKAGE_TIFF=ON \
    -DCUBIST_FUZZ=ON -DCUBIST_SHADERS="$2" >/dev/null || { echo "clang has no OpenMP"; exit 77; }
targets="nrrd metaimage nifti vtk_legacy inviwo bov npy npz mrc mgh slc cube dx raw slices gzip raw_name numbers
    facts resample mesh"
if ! ninja -C "$build" $(printf 'fuzz_%s ' $targets) >"$build/log"; then
    if ! grep -q 'cannot find.*clang_rt\|unable to find library' "$build/log"; then
        cat "$build/log"
        exit 1
    fi
    echo "clang has no sanitizers"
    exit 77
fi
exec bash "$1/tests/fuzz/fuzz.sh" "$build" "${3-10}" $targets
