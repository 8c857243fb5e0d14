#!/usr/bin/env bash
# ctest: plain long
# The tests on Debian 13, whose Mesa and compilers are newer. What is committed is cloned into a
# debootstrap of it and tested there by ./run test, which takes most of an hour the first time.
#
#     tests/house/test_long_debian.sh [...]    arguments go to ctest: -R test_camera
#
# The system and the builds in it are kept in CUBIST_TRIXIE, or else in the cache. It has device
# files of its own, so nothing there can harm those of this system.
set -euo pipefail
source=${CUBIST_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
system=${CUBIST_TRIXIE:-${XDG_CACHE_HOME:-$HOME/.cache}/trixie}

skip() {
    echo "skipped: $*"
    exit 77
}

[ "$(id -u)" = 0 ] || skip "another system is entered by root only"
for tool in debootstrap git unshare chroot; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done
unshare -m true || skip "nothing can be mounted here"
if [ ! -d "$system" ]; then
    rm -rf "$system.part"
    mkdir -p "$(dirname "$system")"
    debootstrap --variant=minbase --include=ca-certificates trixie "$system.part" \
        http://deb.debian.org/debian >"$system.log" 2>&1 ||
        skip "Debian 13 cannot be fetched: $(tail -n 1 "$system.log")"
    mv "$system.part" "$system"
fi
copy=$system/root/cubist
[ -d "$copy" ] || git init -q "$copy"
git -C "$copy" fetch -q "$source" HEAD
git -C "$copy" reset -q --hard FETCH_HEAD
cp /etc/resolv.conf "$system/etc/resolv.conf"
# The mounts end with the last process there.
exec unshare -m --propagation private bash -euc '
    system=$1
    shift
    mount -t proc proc "$system/proc"
    mount -t sysfs -o ro sysfs "$system/sys"
    mount -t tmpfs tmpfs "$system/dev/shm"
    mount -t devpts devpts "$system/dev/pts"
    exec env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        chroot "$system" /root/cubist/run test "$@"' bash "$system" "$@"
