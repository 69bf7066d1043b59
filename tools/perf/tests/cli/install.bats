#!/usr/bin/env bats
load common

setup_file() {
	export ROOT=$BATS_TEST_DIRNAME/../../../..
	make -s -C "$ROOT" B="$B" install PREFIX=/opt/perf DESTDIR="$BATS_FILE_TMPDIR/d" >&2
}

@test "make install: what is put where" {
	cd "$BATS_FILE_TMPDIR/d/opt/perf"
	[ -x bin/perf ]
	[ "$(readlink bin/perf-sample-bpf)" = perf ]
	[ -s share/bash-completion/completions/perf ]
	bash -n share/bash-completion/completions/perf
	[ -s share/man/man1/perf.1 ]
	for page in "$ROOT"/Documentation/perf*.adoc; do
		page=${page##*/}
		[ -s "share/man/man1/${page%.adoc}.1" ]
	done
	for example in "$ROOT"/tools/perf/bpf/examples/*.bpf.c; do
		[ -e "$example" ] || continue
		example=${example##*/}
		[ -s "lib/perf/examples/$example" ]
		[ -s "lib/perf/examples/${example%.c}.o" ]
	done
}

@test "nothing is written outside of DESTDIR and PREFIX" {
	cd "$BATS_FILE_TMPDIR/d"
	[ "$(echo *)" = opt ]
	[ "$(echo opt/*)" = opt/perf ]
}

@test "what is installed runs from there" {
	run -0 "$BATS_FILE_TMPDIR/d/opt/perf/bin/perf" --version
	[[ $output == "perf version "* ]]
	if command -v man >/dev/null; then
		run -0 "$BATS_FILE_TMPDIR/d/opt/perf/bin/perf" help version
		[[ $output == *"perf-version"* || $output == *"Usage: perf version"* ]]
	fi
}

@test "man pages are well formed, and name what they are of" {
	command -v man >/dev/null || skip "no man"
	for page in "$BATS_FILE_TMPDIR"/d/opt/perf/share/man/man1/*.1; do
		run -0 env LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -l "$page"
		[[ $output != *"warning:"* ]]
		name=${page##*/}
		[[ $output == *"${name%.1}"* ]]
	done
}

@test "make uninstall takes all of it away" {
	make -s -C "$ROOT" B="$B" uninstall PREFIX=/opt/perf DESTDIR="$BATS_FILE_TMPDIR/d"
	[ -z "$(find "$BATS_FILE_TMPDIR/d" ! -type d)" ]
}
