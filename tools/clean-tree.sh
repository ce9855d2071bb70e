#!/bin/sh
# SPDX-License-Identifier: MIT
#
# For check-fresh and check-deb, which read this file: a bare Debian 12 in a folder, with
# git, make, sudo and nothing else of ours. It is made by debootstrap once and kept as
# build-fresh/base.tar.gz together with the packages that were fetched; remove that folder
# to start from nothing. Mounts live in a namespace of their own, which ends with the
# script.
#
# It needs root and debootstrap. The package mirror, apt's proxies and the settings of
# npm are those of this machine; where apt knows no Debian 12, FRESH_MIRROR names one.
# FRESH_MINUTES (default 60) bounds each step.

tool=${0##*/}

suite=bookworm
folder=$PWD/build-fresh
tree=$folder/tree
base=$folder/base.tar.gz
minutes=${FRESH_MINUTES:-60}

say() {
    echo "$tool: $*"
}

fail() {
    say "$*" >&2
    exit 2
}

# The apt sources of this machine that serve the suite, as lines of sources.list.
list_sources() {
    if [ -n "${FRESH_MIRROR:-}" ]; then
        echo "deb $FRESH_MIRROR $suite main"
        return
    fi
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
        while read -r uri release component; do
            case $release in
            "$suite" | "$suite-updates" | "$suite-security")
                echo "deb $uri $release $component"
                ;;
            esac
        done | sort -u
}

# What apt here was told about proxies, certificates and dates.
list_apt_settings() {
    apt-config dump --format '%F "%v";%n' 2>/dev/null |
        grep -iE '^Acquire::(http|https|Check-)[^ ]* "[^"]+";$'
}

make_base() {
    mirror=$(list_sources | awk -v suite=$suite '$3 == suite && $4 == "main" { print $2; exit }')
    [ -n "$mirror" ] || fail "apt here knows no Debian 12; set FRESH_MIRROR"
    command -v debootstrap >/dev/null || fail "debootstrap is missing"
    say "making the base system"
    remove_tree
    timeout "${minutes}m" debootstrap --variant=minbase --include=git,make,sudo,ca-certificates $suite "$tree" \
        "$mirror" >"$folder/debootstrap.log" 2>&1 || {
        tail -n 20 "$folder/debootstrap.log" >&2
        fail "debootstrap failed"
    }
    rm -rf "$tree"/var/lib/apt/lists/* "$tree"/var/cache/apt/archives/*.deb
    tar -C "$tree" -cf - . | gzip -1 >"$base.new" && mv "$base.new" "$base"
}

# A new tree from the base, with the network, apt and the clone's source of this machine.
make_tree() {
    remove_tree
    mkdir -p "$tree" "$folder/debs/partial"
    tar -C "$tree" -xzf "$base" || fail "cannot unpack $base"
    cp /etc/resolv.conf /etc/hosts "$tree/etc/"
    list_sources >"$tree/etc/apt/sources.list"
    list_apt_settings >"$tree/etc/apt/apt.conf.d/90host"
    if [ -d /usr/local/share/ca-certificates ]; then
        cp -r /usr/local/share/ca-certificates "$tree/usr/local/share/"
        chroot "$tree" update-ca-certificates >/dev/null 2>&1
    fi
    mount -t proc proc "$tree/proc" || fail "cannot mount $tree/proc"
    if ! mount --bind /dev/pts "$tree/dev/pts" ||
        ! mount --bind "$folder/debs" "$tree/var/cache/apt/archives"; then
        fail "cannot mount in $tree"
    fi
}

# The project as it is committed, to clone in the tree.
put_source() {
    [ -z "$(git status --porcelain)" ] ||
        say "HEAD is tested; changes that are not committed are not part of it"
    git bundle create --quiet "$tree/srv/evenhand.bundle" HEAD || fail "git bundle failed"
}

add_user() {
    chroot "$tree" useradd --create-home "$1"
    echo "$1 ALL=(ALL) NOPASSWD: ALL" >"$tree/etc/sudoers.d/$1"
}

unmount_tree() {
    umount "$tree/var/cache/apt/archives" "$tree/dev/pts" "$tree/proc" 2>/dev/null
}

remove_tree() {
    unmount_tree
    ! grep -qF " $tree/" /proc/mounts || fail "something is still mounted in $tree"
    rm -rf --one-file-system "$tree"
}

# npm's registry and proxies here, as the variables that npm reads, one a line.
list_npm_settings() {
    command -v npm >/dev/null || return
    for key in registry proxy https-proxy; do
        value=$(npm config get "$key" 2>/dev/null)
        case $value in
        '' | null | undefined) ;;
        *) echo "npm_config_$(echo $key | tr - _)=$value" ;;
        esac
    done
}

# in_tree USER COMMAND: a shell there with nothing of this machine's environment but
# what leads out of it.
in_tree() {
    as=$1 home=/root
    shift
    [ "$as" = root ] || home=/home/$as
    set -- sh -c "$*"
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        value=$(printenv $name) && set -- "$name=$value" "$@"
    done
    for setting in $npm_settings; do
        set -- "$setting" "$@"
    done
    chroot "$tree" setpriv --reuid "$as" --regid "$as" --init-groups \
        env -i HOME="$home" USER="$as" LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null
}

# enter_namespace ARGUMENT...: runs the script again with mounts of its own, and there
# takes the lock and the base system.
enter_namespace() {
    [ "$(id -u)" -eq 0 ] || fail "needs root, for chroot and mounts: run it with sudo"
    if [ -z "${FRESH_IN_NAMESPACE:-}" ]; then
        export FRESH_IN_NAMESPACE=yes
        exec unshare --mount --propagation private "$0" "$@"
    fi
    mkdir -p "$folder"
    exec 9>"$folder/lock"
    flock --nonblock 9 || fail "another one is running in $folder"
    trap unmount_tree EXIT
    trap 'exit 130' INT TERM
    [ -e "$base" ] || make_base
    npm_settings=$(list_npm_settings)
}
