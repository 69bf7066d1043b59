# SPDX-License-Identifier: GPL-2.0-only
# make, make test, make bench, make install PREFIX=... DESTDIR=..., make SANITIZE=1, make CC=clang
# Sources are found by folder: a new file needs no line here.

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= gcc
CLANG   ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /usr/local/sbin/bpftool) bpftool)
V       ?= 0
Q       := $(if $(filter 0,$(V)),@,)

comma := ,
ifeq ($(FUZZ),1)
override CC := clang
B        ?= build-fuzz
SANFLAGS := -fsanitize=address,undefined,fuzzer-no-link -fno-omit-frame-pointer -fno-sanitize-recover=undefined
OPT      ?= -O1
else ifeq ($(SANITIZE),1)
B        ?= build-san
# What the sanitizers put into the code makes gcc's flow analysis see truncation and uninitialised values that are not there.
SANFLAGS := -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined \
	$(if $(findstring clang,$(CC)),,-Wno-format-truncation -Wno-maybe-uninitialized)
OPT      ?= -O1
else
B        ?= build
OPT      ?= -O2
endif

PKGS     := libbpf libelf libdw libunwind-$(shell uname -m) libunwind libtraceevent libzstd zlib liblzma libcap slang jansson
PKG_CFLAGS := $(shell pkg-config --cflags libbpf libelf libdw libunwind libtraceevent libzstd zlib liblzma libcap jansson 2>/dev/null)
PKG_LIBS   := $(shell pkg-config --libs libbpf libelf libdw libtraceevent libzstd zlib liblzma libcap jansson 2>/dev/null) -lunwind-$(shell uname -m) -lunwind -lslang -liberty

CFLAGS   ?= $(OPT) -g
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -MMD -MP -Itools/include -Itools -Itools/perf -I$(B) \
	$(PKG_CFLAGS) $(SANFLAGS) $(CFLAGS)
ALL_LDFLAGS := $(SANFLAGS) $(LDFLAGS)
LIBS     := $(PKG_LIBS) -lm -lpthread -ldl

BPF_ARCH := $(shell uname -m | sed 's/x86_64/x86/; s/aarch64/arm64/')
BPF_CFLAGS := -g -O2 -mcpu=v3 -target bpf -D__TARGET_ARCH_$(BPF_ARCH) -Wall -Werror -Itools/include -Itools -Itools/perf -Itools/perf/bpf \
	-idirafter /usr/include/$(shell uname -m)-linux-gnu

LIB_SRCS  := $(wildcard tools/lib/*/*.c)
CMD_SRCS  := $(filter-out %.bpf.c,$(wildcard tools/perf/session/*.c tools/perf/bpf/*.c tools/perf/trace/*.c tools/perf/hist/*.c \
	tools/perf/probe/*.c tools/perf/stat/*.c tools/perf/output/*.c tools/perf/builtin-*.c))
MAIN_SRC  := tools/perf/perf.c
BPF_SRCS  := $(wildcard tools/perf/bpf/*.bpf.c)
EX_SRCS   := $(wildcard tools/perf/bpf/examples/*.bpf.c)
UNIT_SRCS := $(wildcard tools/perf/tests/unit/test-*.c)
FUZZ_SRCS := $(wildcard tools/perf/tests/fuzz/fuzz-*.c)
WORK_SRCS := $(wildcard tools/perf/tests/workloads/*.c)

LIB_OBJS  := $(LIB_SRCS:%.c=$(B)/%.o)
CMD_OBJS  := $(CMD_SRCS:%.c=$(B)/%.o)
MAIN_OBJ  := $(MAIN_SRC:%.c=$(B)/%.o)
SKELS     := $(BPF_SRCS:tools/perf/bpf/%.bpf.c=$(B)/bpf/%.skel.h)
EX_OBJS   := $(EX_SRCS:tools/perf/bpf/examples/%.bpf.c=$(B)/examples/%.bpf.o)
UNIT_BINS := $(UNIT_SRCS:tools/perf/tests/unit/%.c=$(B)/unit/%)
FUZZ_BINS := $(FUZZ_SRCS:tools/perf/tests/fuzz/%.c=$(B)/fuzz/%)
WORK_BINS := $(WORK_SRCS:tools/perf/tests/workloads/%.c=$(B)/workloads/%)
MAN_SRCS  := $(wildcard Documentation/perf*.adoc)
MAN_PAGES := $(MAN_SRCS:Documentation/%.adoc=$(B)/man/%.1)

.PHONY: all fuzz test bench install uninstall clean format format-check man examples workloads unit
.SECONDARY:
all: $(B)/perf examples

$(B)/perf: $(MAIN_OBJ) $(B)/libperf.a
	@echo "  LD      $@"
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(MAIN_OBJ) $(B)/libperf.a $(LIBS)

$(B)/libperf.a: $(LIB_OBJS) $(CMD_OBJS)
	@echo "  AR      $@"
	$(Q)rm -f $@ && ar rcs $@ $^

# Every object may include a skeleton: they are made first, once.
$(LIB_OBJS) $(CMD_OBJS) $(MAIN_OBJ): | $(SKELS)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/bpf/%.bpf.o: tools/perf/bpf/%.bpf.c
	@mkdir -p $(@D)
	@echo "  BPF     $<"
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $<

$(B)/bpf/%.skel.h: $(B)/bpf/%.bpf.o
	@echo "  SKEL    $@"
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*)_bpf > $@.tmp && mv $@.tmp $@

$(B)/examples/%.bpf.o: tools/perf/bpf/examples/%.bpf.c
	@mkdir -p $(@D)
	@echo "  BPF     $<"
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $<
examples: $(EX_OBJS)

# Known-answer workloads: -O1 keeps their functions' shape, frame pointers their stacks. "// LDFLAGS: ..." in a source adds to its link.
$(B)/workloads/%: tools/perf/tests/workloads/%.c
	@mkdir -p $(@D)
	@echo "  WORK    $<"
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -g -fno-omit-frame-pointer -fno-inline -o $@ $< \
		$(shell sed -n 's|^// LDFLAGS: ||p' $<) -lpthread
workloads: $(WORK_BINS)

$(B)/unit/%: tools/perf/tests/unit/%.c $(B)/libperf.a
	@mkdir -p $(@D)
	@echo "  UNIT    $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(B)/libperf.a $(LIBS) -lcmocka
unit: $(UNIT_BINS)

# make FUZZ=1 fuzz: libFuzzer programs in build-fuzz/fuzz, each to be run on a directory of samples.
$(B)/fuzz/%: tools/perf/tests/fuzz/%.c $(B)/libperf.a
	@mkdir -p $(@D)
	@echo "  FUZZ    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $< $(B)/libperf.a $(LIBS)
fuzz: $(FUZZ_BINS)

# The same harnesses with a deterministic runner in libFuzzer's place: scripts/fuzz-perf-data.
$(B)/mutate/%: tools/perf/tests/fuzz/%.c tools/perf/tests/fuzz/runner.c $(B)/libperf.a
	@mkdir -p $(@D)
	@echo "  MUTATE  $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< tools/perf/tests/fuzz/runner.c $(B)/libperf.a $(LIBS)

$(B)/man/%.1: Documentation/%.adoc
	@mkdir -p $(@D)
	@echo "  MAN     $@"
	$(Q)asciidoctor -b manpage -o $@ $<
man: $(MAN_PAGES)

test: all unit workloads
	B=$(B) scripts/run-tests
bench: all workloads
	B=$(B) scripts/bench

install: all man
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/lib/perf/examples
	install -m 755 $(B)/perf $(DESTDIR)$(PREFIX)/bin/perf
	ln -sf perf $(DESTDIR)$(PREFIX)/bin/perf-sample-bpf
	install -m 644 $(MAN_PAGES) $(DESTDIR)$(PREFIX)/share/man/man1/
	$(B)/perf --bash-completion > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/perf
	$(if $(EX_SRCS),install -m 644 $(EX_OBJS) $(EX_SRCS) $(DESTDIR)$(PREFIX)/lib/perf/examples/)
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/perf $(DESTDIR)$(PREFIX)/bin/perf-sample-bpf \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/perf
	rm -rf $(DESTDIR)$(PREFIX)/lib/perf/examples
	cd $(DESTDIR)$(PREFIX)/share/man/man1 && rm -f $(notdir $(MAN_PAGES))

format:
	git ls-files 'tools/*.c' 'tools/*.h' | xargs clang-format -i
format-check:
	git ls-files 'tools/*.c' 'tools/*.h' | xargs clang-format --dry-run -Werror
# In a bats test "! command" is ignored unless it is the last one.
	@if git grep -nE '^\s*! ' -- 'tools/perf/tests/*.bats' 'tools/perf/tests/*.sh' 'tools/perf/tests/*.bash'; then \
		echo 'write "not command" for "! command"'; exit 1; fi
clean:
	rm -rf build build-*

-include $(shell find $(B) -name '*.d' 2>/dev/null)
