#!/bin/sh
# SPDX-License-Identifier: MIT
#
# no_pages.sh EVENHAND: a build without pages says so in one line and writes nothing.
set -u
file=$(mktemp -u)
said=$("$1" report nothing.db -o "$file" 2>&1)
status=$?
[ $status -eq 2 ] && [ ! -e "$file" ] && [ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] &&
    case $said in
    *'made without Node'*) "$1" doctor | grep -q 'pages.*none' && exit 0 ;;
    esac
printf 'status %s: %s\n' "$status" "$said"
exit 1
