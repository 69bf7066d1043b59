#!/usr/bin/env bats
load common

@test "each command has a manual page, and each of its options stands there" {
	command -v man >/dev/null || skip "no man"
	make -s -C "$BATS_TEST_DIRNAME/../../../.." B="$B" man >&2
	missing=
	for cmd in $("$PERF" --list-cmds); do
		page=$B/man/perf-$cmd.1
		text=$(MANWIDTH=100 man -l "$page" | col -bx) || missing+=" perf-$cmd.1"
		for opt in $("$PERF" "$cmd" --list-opts); do
			grep -qE -e "(^|[^a-z-])--(no-)?${opt#--}([^a-z-]|$)" <<<"$text" || missing+=" $cmd:$opt"
		done
	done
	echo "missing:$missing"
	[ -z "$missing" ]
}
