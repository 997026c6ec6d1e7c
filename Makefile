# SPDX-License-Identifier: Apache-2.0
# Build of ojx: the tool (cmd/, lib/), the agent (agent/), the tests. See README.md.
#
#   make                        ./ojx and ./libojx-agent.so
#   make test                   everything that is checked; docs/testing.md has what else there is
#   make SAN=address,undefined  a sanitised tool in build-address-undefined/ (the agent never is)
#   make static                 one archive with a tool that needs no library
#   make dist                   what a release has: that archive, a Debian package, sums
#   make dist ARCH=aarch64      the same for another processor, in build-aarch64/dist
#   make cross ARCH=aarch64     tool and agent of another processor, in build-aarch64/
#   make V=1                    the same with every command in full

VERSION := 0.1.0
PREFIX  ?= /usr/local
CC      ?= cc
# Sanitised code is compiled for the tests alone, each time anew: half of the time is optimising.
CFLAGS  ?= $(if $(SAN),-O1 -g1,-O2 -g)
WARN    := -std=gnu11 -Wall -Wextra -Wshadow -Werror

# A folder of agent/arch/ has what is the processor's (agent/arch/arch.h).
MACHINE   := $(shell uname -m)
ARCH      ?= $(MACHINE)
ifeq ($(wildcard agent/arch/$(ARCH)/processor.h),)
$(error ojx does not know the processor $(ARCH), only $(notdir $(patsubst %/,%,$(dir $(wildcard agent/arch/*/processor.h)))): see docs/contributing.md)
endif

# For another processor than the machine's: its compiler, with the libraries in ROOT, which test/cross/root.sh makes.
BASE      := build
PKG_CONFIG := pkg-config
ifneq ($(ARCH),$(MACHINE))
CROSS     := $(ARCH)-linux-gnu-
BASE      := build-$(ARCH)
ROOT      ?= $(CURDIR)/$(BASE)-root
ifeq ($(origin CC),default)
CC        := $(CROSS)gcc --sysroot=$(ROOT)
AR        := $(CROSS)ar
endif
PKG_CONFIG := PKG_CONFIG_SYSROOT_DIR=$(ROOT) PKG_CONFIG_LIBDIR=$(ROOT)/usr/lib/$(ARCH)-linux-gnu/pkgconfig pkg-config
endif

JDK       := $(shell agent/jdks.sh | head -n 1)
CAPSTONE  := $(shell $(CC) -print-file-name=libcapstone.a)
# It unpacks recordings faster than zlib does.
DEFLATE   := $(shell $(PKG_CONFIG) --exists libdeflate 2>/dev/null && echo libdeflate)
PACKAGES  := libcjson $(DEFLATE) libelf libzip zlib
LIBS_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
LIBS      := $(shell $(PKG_CONFIG) --libs $(PACKAGES) ncursesw 2>/dev/null) $(CAPSTONE) -lpfm -lm -pthread

CPPFLAGS  += -Ilib -DOJX_VERSION='"$(VERSION)"' -DOJX_ARCH='"$(ARCH)"'
DEPFLAGS   = -MMD -MP

AGENT_INCLUDES := -Iagent -Iagent/arch/$(ARCH)

# The agent lives in somebody else's process: nothing of it is visible there, its thread-local
# storage never allocates (agent/core/tls.h), and it names no library, so that one file loads with
# glibc and with musl (docs/architecture.md). It reads instructions itself (lib/insn/insn.h), in
# handlers, where no disassembler may be called.
AGENT_TLS    := $(shell for f in -mtls-dialect=gnu2 -mtls-dialect=desc; do echo | $(CC) $$f -E - >/dev/null 2>&1 && \
                echo -ftls-model=global-dynamic $$f && exit; done; echo -ftls-model=initial-exec)
AGENT_CFLAGS  = $(AGENT_INCLUDES) -fPIC -fvisibility=hidden $(AGENT_TLS) -fno-math-errno -pthread \
                -I$(JDK)/include -I$(JDK)/include/linux
AGENT_LDFLAGS = -shared -nostdlib -Wl,-z,undefs -Wl,-z,relro,-z,now,-z,nodelete
AGENT_LIBS    = $(shell $(CC) -print-libgcc-file-name)

comma     := ,
BUILD     := $(BASE)$(if $(SAN),-$(subst $(comma),-,$(SAN)),$(if $(STATIC),-static))
# The tool and the agent that are most often wanted lie on top.
PLACE     := $(filter-out build/,$(BUILD)/)
TOOL      := $(PLACE)ojx
AGENT     := $(PLACE)libojx-agent.so
PLAIN_AGENT := $(filter-out build/,$(BASE)/)libojx-agent.so
ifdef SAN
SAN_FLAGS := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
# What a sanitiser adds to the code makes these two warn for nothing.
WARN      += -Wno-unknown-warning-option -Wno-format-truncation -Wno-maybe-uninitialized
else ifdef STATIC
# docs/static/archives.sh has built two of them.
LIBS_CFLAGS := -I$(BUILD)/archives/include
LIBS      := -static -L$(BUILD)/archives/lib -lcjson -lzip -lelf $(if $(DEFLATE),-ldeflate) -lz -lncursesw -ltinfo $(CAPSTONE) -lpfm -lm -pthread
endif

tool_objs  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/*.c cmd/*/*.c))
# What the tool knows of other processors than its own is left out.
lib_files  := $(wildcard lib/*/*.c) $(filter-out lib/host/%,$(wildcard lib/*/*/*.c)) $(wildcard lib/host/$(ARCH)/*.c)
lib_objs   := $(patsubst %.c,$(BUILD)/%.o,$(lib_files))
agent_files := $(wildcard agent/*.c agent/*/*.c agent/heap/eden/*.c agent/hotspot/metadata/*.c agent/arch/$(ARCH)/*.c)
agent_objs := $(patsubst %.c,$(BASE)/%.o,$(agent_files))
# The reader of its instructions, which writes none as text, and the reader of the shared memory are the agent's and the tool's.
insn_objs  := $(patsubst lib/%.c,$(BASE)/agent/%.o,$(filter-out %_text.c,$(wildcard lib/insn/$(ARCH)/*.c)))
wire_objs  := $(patsubst lib/%.c,$(BASE)/agent/%.o,$(wildcard lib/wire/*.c))
# All unit tests are one program, a group of tests for each file test_GROUP.c.
# Two of them are about x86's counters, which the tool of another processor does not know. A folder has what is a processor's
# own: code for the tests (*_code.h), and groups, one of which takes the place of another of its name.
unit_own   := $(wildcard test/unit/$(ARCH)/test_*.c)
unit_left_out := $(if $(filter x86_64,$(ARCH)),,pmu perfring) $(patsubst test/unit/$(ARCH)/test_%.c,%,$(unit_own))
unit_files := $(filter-out $(unit_left_out:%=test/unit/test_%.c),$(wildcard test/unit/*.c)) $(unit_own)
unit_groups := $(sort $(patsubst test_%.c,%,$(filter test_%.c,$(notdir $(unit_files)))))
unit_objs  := $(patsubst %.c,$(BUILD)/%.o,$(unit_files))
# What they take from the agent: what it makes of code, of filters of system calls, and of signals.
agent_tested := $(patsubst %,$(BASE)/agent/%.o,alone_options analyse/draw_table code/loop_accesses code/loop_body \
                code/next_access code/codetable arch/$(ARCH)/context arch/$(ARCH)/decode_trap \
                code/symbolic_registers code/code_path core/blocks core/maths core/memory core/peek core/registry core/room core/seccomp core/hashtable hotspot/humongous hotspot/metadata/bytecodes perf/listener)
fuzzers    := $(patsubst test/fuzz/%.c,build-fuzz/%,$(wildcard test/fuzz/fuzz_*.c))
c_files    := $(wildcard cmd/*.[ch] cmd/*/*.[ch] lib/*/*.[ch] lib/*/*/*.[ch] agent/*.[ch] agent/*/*.[ch] agent/*/*/*.[ch] \
              test/*.[ch] test/*/*.[ch] test/*/*/*.[ch])

# What is made, a line each, before a command that make would print in full: with V=1 it does.
quiet  = $(if $(or $(filter 1,$(V)),$(findstring s,$(firstword -$(MAKEFLAGS)))),,printf '  %-4s %s\n' $(1) $(2);)
at    := $(if $(filter 1,$(V)),,@)
CC_LINE = $(at)$(call quiet,CC,$<)
LD_LINE = $(at)$(call quiet,LD,$@)
AR_LINE = $(at)$(call quiet,AR,$@)

all: $(TOOL) $(AGENT)

$(TOOL): $(tool_objs) $(BUILD)/libojx.a
	$(LD_LINE)$(CC) $(CFLAGS) $(SAN_FLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# An archive, so that a unit test links only what it needs. The agent's reader of instructions is
# in it: it knows those that Capstone does not.
$(BUILD)/libojx.a: $(lib_objs)
	@rm -f $@
	$(AR_LINE)$(AR) rcs $@ $^

$(BUILD)/lib/file/inflate.o: CPPFLAGS += $(if $(DEFLATE),-DOJX_LIBDEFLATE)

$(PLAIN_AGENT): $(agent_objs) $(insn_objs) $(wire_objs)
	$(LD_LINE)$(CC) $(CFLAGS) $(LDFLAGS) $(AGENT_LDFLAGS) -o $@ $^ $(AGENT_LIBS)

# Its objects are never mixed of two sets of flags.
$(agent_objs) $(insn_objs) $(wire_objs): Makefile

# Never sanitised; the tool looks for it in its own folder.
$(BASE)-%/libojx-agent.so: $(PLAIN_AGENT)
	@mkdir -p $(@D)
	$(at)cp $< $@

$(BUILD)/cmd/%.o: cmd/%.c
	@mkdir -p $(@D)
	$(CC_LINE)$(CC) $(CPPFLAGS) -Icmd $(CFLAGS) $(WARN) $(SAN_FLAGS) $(LIBS_CFLAGS) $(DEPFLAGS) -c -o $@ $<

$(BUILD)/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	$(CC_LINE)$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $(SAN_FLAGS) $(LIBS_CFLAGS) $(DEPFLAGS) -c -o $@ $<

# It names the commit, so that it is compiled anew after each.
$(BUILD)/cmd/version.o: CPPFLAGS += -I$(BUILD)/cmd
$(BUILD)/cmd/version.o: $(BUILD)/cmd/version_commit.h
$(BUILD)/cmd/version_commit.h: FORCE
	@mkdir -p $(@D)
	@echo '#define OJX_COMMIT "$(or $(shell git rev-parse --short=12 HEAD 2>/dev/null),unknown)"' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# It holds the page of the HTML report.
$(BUILD)/lib/render/html/html_page.o: $(wildcard lib/render/html/*)

$(insn_objs) $(wire_objs): $(BASE)/agent/%.o: lib/%.c
	@mkdir -p $(@D)
	$(CC_LINE)$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $(AGENT_CFLAGS) $(DEPFLAGS) -c -o $@ $<

$(BASE)/agent/%.o: agent/%.c | jdk
	@mkdir -p $(@D)
	$(CC_LINE)$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $(AGENT_CFLAGS) $(DEPFLAGS) -c -o $@ $<

$(BUILD)/test/unit/%.o: test/unit/%.c
	@mkdir -p $(@D)
	$(CC_LINE)$(CC) $(CPPFLAGS) -I. -Itest/unit/$(ARCH) $(AGENT_INCLUDES) $(CFLAGS) $(WARN) $(SAN_FLAGS) $(LIBS_CFLAGS) $(DEPFLAGS) -c -o $@ $<

$(BUILD)/unit: $(unit_objs) $(agent_tested) $(BUILD)/libojx.a
	$(LD_LINE)$(CC) $(CFLAGS) $(SAN_FLAGS) $(LDFLAGS) -pthread -o $@ $^ -lcmocka $(LIBS)

# How often reports are wrong about simulated programs; see docs/accuracy.md.
regime_objs := $(BUILD)/test/accuracy/regime.o \
               $(patsubst %,$(BUILD)/test/unit/%.o,builder regime_program regime_agent regime_judge regime_run)
$(BUILD)/regime: $(regime_objs) $(BUILD)/libojx.a
	$(LD_LINE)$(CC) $(CFLAGS) $(SAN_FLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/test/accuracy/%.o: test/accuracy/%.c
	@mkdir -p $(@D)
	$(CC_LINE)$(CC) $(CPPFLAGS) -I. $(CFLAGS) $(WARN) $(SAN_FLAGS) $(DEPFLAGS) -c -o $@ $<

# The table of their groups is written anew when there are others.
$(BUILD)/test/unit/main.o: CPPFLAGS += -I$(BUILD)/test/unit
$(BUILD)/test/unit/main.o: $(BUILD)/test/unit/unit_groups.h
$(BUILD)/test/unit/unit_groups.h: FORCE
	@mkdir -p $(@D)
	@printf 'GROUP(%s)\n' $(unit_groups) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# The one test of two threads, by the tool that is made for it.
build/ring-threads: test/unit/test_ring.c $(wildcard lib/wire/*.h agent/core/blockstack.h)
	@mkdir -p $(@D)
	$(LD_LINE)$(CC) $(CPPFLAGS) -I. -O1 -g1 $(WARN) -fsanitize=thread -Dunit_ring=main -pthread -o $@ $< -lcmocka

$(BUILD)/test/unit/test_next_access.o $(BUILD)/test/unit/test_loop.o: CPPFLAGS += -I$(JDK)/include -I$(JDK)/include/linux
$(BUILD)/test/unit/test_decode.o $(BUILD)/test/unit/$(ARCH)/test_decode.o: CPPFLAGS += -I$(JDK)/include -I$(JDK)/include/linux
$(BUILD)/test/unit/test_blocks.o $(BUILD)/test/unit/test_humongous.o: CPPFLAGS += -I$(JDK)/include -I$(JDK)/include/linux

# Writes recordings of programs that never ran.
build/make-data: $(wildcard test/make_data*.c test/make_data.h) test/unit/builder.c build/libojx.a
	@mkdir -p $(@D)
	$(LD_LINE)$(CC) $(CPPFLAGS) -Itest/unit -O1 -g $(WARN) -o $@ $(filter %.c %.a,$^) -lm $(if $(DEFLATE),-ldeflate) -lz -pthread

# The programs that tests record, but for those that need more than the JDK's exports.
java_files := $(filter-out $(patsubst %,test/jvm/%.java,Continuations FillsLibraries Orders ReadHeap ReadJfr),$(wildcard test/jvm/*.java))
build/classes/made: $(java_files) | jdk
	@rm -rf $(@D)
	$(call quiet,JAVA,$(@D))$(JDK)/bin/javac -nowarn -XDsuppressNotes --release 11 -g -d $(@D) $(java_files)
	@touch $@

# Runs a command with perf_event_open forbidden.
$(BASE)/deny-perf: test/deny_perf.c
	@mkdir -p $(@D)
	$(LD_LINE)$(CC) $(CFLAGS) $(WARN) -o $@ $<

jdk:
	@test -n "$(JDK)" || { echo "no JDK with jvmti.h found: install default-jdk-headless," \
		"or set JAVA_HOME" >&2; exit 1; }

unit: $(BUILD)/unit

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/ojx \
		$(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/doc/ojx \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -m 755 $(TOOL) $(DESTDIR)$(PREFIX)/bin/ojx
	install -m 644 $(AGENT) $(DESTDIR)$(PREFIX)/lib/ojx/
	install -m 644 ojx.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 docs/completion/ojx.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/ojx
	install -m 644 docs/completion/_ojx $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	install -m 644 README.md LICENSE $(wildcard docs/*.md) $(DESTDIR)$(PREFIX)/share/doc/ojx/

# The scripts below take the processor, and where its libraries are, from these; for this machine ROOT is empty.
FOR := ARCH=$(ARCH) ROOT=$(ROOT) CROSS=$(CROSS) OUT=$(BASE)-static

# A package for this Debian and its like. DEB_DIR: where it goes.
DEB_DIR ?= $(BASE)
deb: all
	$(FOR) docs/debian/deb.sh $(VERSION) $(DEB_DIR)

# A tool that needs no library, and the agent. STATIC_DIR: where the archive goes.
STATIC_DIR ?= $(BASE)
static: $(if $(CROSS),root)
	test/deps.sh build static
	$(FOR) docs/static/archives.sh $(BASE)-static/archives
	$(MAKE) --no-print-directory STATIC=1 all
	$(FOR) docs/static/pack.sh $(VERSION) $(STATIC_DIR)

# What a release has: the archive, the Debian package, and their sums. DIST_DIR: where they go.
DIST_DIR ?= $(BASE)/dist
dist:
	rm -rf $(DIST_DIR)
	$(MAKE) --no-print-directory static STATIC_DIR=$(DIST_DIR)
	$(MAKE) --no-print-directory deb DEB_DIR=$(DIST_DIR)
	docs/static/sums.sh $(DIST_DIR)

# The targets below install the Debian packages that they miss; see test/deps.sh.

demo:
	test/deps.sh build demo
	$(MAKE) --no-print-directory all
	test/demo.sh

test:
	test/deps.sh build test
	test/run

# First simulated programs, some ten minutes. Then real ones: every collector of every JDK takes
# some 10 seconds a program, an hour in all.
accuracy:
	test/deps.sh build test
	$(MAKE) --no-print-directory all $(BUILD)/regime
	status=0; $(BUILD)/regime || status=1; test/patterns.py -n 4 || status=1; \
	test/patterns.py -n 4 --busy || status=1; test/avoidable.py || status=1; test/accuracy.py --full && exit $$status

bench:
	test/deps.sh build demo bench
	$(MAKE) --no-print-directory all
	test/bench_cost.py
	test/bench.py --pairs 3 heap
	test/bench_report.py
	test/bench_merge.py

# Instructions in thousands of forms, as the assembler writes them, against what we read.
insn-truth: build/insn-check
	test/insn/truth.py --addresses 25 | build/insn-check
	test/insn/truth_aarch64.py | build/insn-check aarch64

# What the unit test has of them.
insn-record:
	test/insn/truth.py --addresses 1 >test/unit/insn_truth.txt
	test/insn/truth_aarch64.py >test/unit/a64_truth.txt

build/insn-check: build/test/insn/check.o build/test/unit/insn_truth.o $(BUILD)/libojx.a
	$(LD_LINE)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

build/test/insn/%.o: test/insn/%.c
	@mkdir -p $(@D)
	$(CC_LINE)$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $(DEPFLAGS) -c -o $@ $<

stress:
	test/deps.sh build
	$(MAKE) --no-print-directory all
	test/stress/run

# Tool and agent of another processor, with Debian's compiler and libraries beside this machine's.
cross: root
	$(MAKE) --no-print-directory all

root:
	test/deps.sh build cross
	test/cross/root.sh $(ARCH) $(ROOT) build

# Every collector of every JVM under every analysis: make matrix JDKS=/opt/jdk-11:/opt/jdk-21. Their compilers are not
# needed; without JDKS these are the JDKs of the machine.
# With ARCH=aarch64 a part of it, and unit tests, in an emulated machine: an hour (docs/testing.md).
matrix: $(if $(CROSS),root)
	test/deps.sh build test $(if $(CROSS),demo)
	$(MAKE) --no-print-directory all $(BASE)/deny-perf $(if $(CROSS),unit)
	$(if $(CROSS),$(MAKE) --no-print-directory ARCH=$(MACHINE) all)
	$(if $(CROSS),test/cross/matrix.sh $(ARCH),test/matrix) $(subst :, ,$(JDKS))

# How often the statistical tests are right, with bounds as narrow as they should be. SOAK=50: fifty times.
SOAK ?= 10
# And how much ojx and the JVM grow while a service is recorded.
SOAK_MINUTES ?= 30
soak:
	test/deps.sh build test
	$(MAKE) --no-print-directory all build/deny-perf
	test/soak -n $(SOAK)
	test/service_soak.py --minutes $(SOAK_MINUTES)

# The archive of `make static` with an old C library; JDKS as above, which have to run there.
oldlibc: static
	test/deps.sh oldlibc
	test/another_libc old $(subst :, ,$(JDKS))

# The package of `make deb` in a new Debian, where apt installs and removes it.
deb-root: deb
	test/deps.sh oldlibc test $(if $(CROSS),cross)
	test/deb_root $(ARCH) $(DEB_DIR)/ojx_$(VERSION)_*.deb

# And with musl, where JVMs with musl are fetched.
musl: static
	test/deps.sh test musl
	test/another_libc musl $(subst :, ,$(JDKS))

# A hundred attachments to a Kafka broker under load: make broker KAFKA=/opt/kafka_2.13-3.7.0
broker:
	test/deps.sh build
	$(MAKE) --no-print-directory all
	test/broker.py $(KAFKA)

# Exports, read by other people's programs, which are fetched.
readers:
	test/deps.sh build test
	$(MAKE) --no-print-directory all
	test/readers

# Half a minute per parser of what comes from outside; needs clang. `make fuzz FUZZ_TIME=3600`.
FUZZ_TIME ?= 30
fuzz: $(fuzzers) build-fuzz/make_seeds
	build-fuzz/make_seeds build-fuzz/seeds test/fuzz/records
	set -e; for f in $(fuzzers); do \
		seeds=build-fuzz/seeds/$${f##*/fuzz_}; mkdir -p $$f.corpus $$seeds; \
		$$f -max_total_time=$(FUZZ_TIME) -max_len=65536 -print_final_stats=1 \
			-artifact_prefix=$$f. $$f.corpus $$seeds $$(ls -d test/fuzz/corpus/$${f##*/fuzz_} 2>/dev/null); done

FUZZ_FLAGS := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
build-fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(CC_LINE)clang $(CPPFLAGS) $(AGENT_INCLUDES) $(WARN) $(FUZZ_FLAGS) $(LIBS_CFLAGS) $(DEPFLAGS) -c -o $@ $<

build-fuzz/fuzz_%: build-fuzz/test/fuzz/fuzz_%.o $(lib_files:%.c=build-fuzz/%.o)
	$(LD_LINE)clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

build-fuzz/make_seeds: test/fuzz/make_seeds.c test/make_data_text.c test/unit/builder.c test/unit/dump.c $(BUILD)/libojx.a
	@mkdir -p $(@D)
	$(LD_LINE)$(CC) $(CPPFLAGS) -I. -Itest/unit $(CFLAGS) $(WARN) -o $@ $^ $(LIBS)

# How each file is compiled, for editors: what make would run.
compile_commands:
	@mkdir -p build
	@$(MAKE) --no-print-directory -Bn V=1 all unit | \
		sed -nE 's/["\\]/\\&/g; s|^.* -c -o ([^ ]+) ([^ ]+\.c)$$|{"directory":"$(CURDIR)","file":"\2","output":"\1","command":"&"},|p' | \
		sed '1s/^/[/; $$s/,$$/]/' >build/compile_commands.json

check-format:
	clang-format --dry-run -Werror $(c_files)

# Whichever of the two is installed. What clang-tidy counts on standard error are the warnings it
# suppressed in other people's headers. It crashes where it is given many files at once. With the
# compiler's warnings it also says what clang minds and gcc does not.
TIDY := clang-tidy --quiet --warnings-as-errors='*'
TIDY_WARN := $(filter-out -Werror,$(WARN)) -Watomic-implicit-seq-cst
lint: $(BUILD)/cmd/version_commit.h
	@command -v cppcheck >/dev/null || command -v clang-tidy >/dev/null || \
		{ echo "neither cppcheck nor clang-tidy is installed" >&2; exit 1; }
	! command -v cppcheck >/dev/null || cppcheck --quiet --error-exitcode=1 --std=c11 \
		--enable=warning,performance,portability --inline-suppr \
		--suppress=missingIncludeSystem -Ilib -Icmd $(AGENT_INCLUDES) cmd lib agent test/*.c test/fuzz
	! command -v clang-tidy >/dev/null || \
		{ for f in cmd/*.c cmd/*/*.c $(lib_files); do \
			$(TIDY) $$f -- $(CPPFLAGS) -Icmd -I$(BUILD)/cmd $(TIDY_WARN) $(LIBS_CFLAGS) || exit 1; done; \
		  for f in $(agent_files); do \
			$(TIDY) $$f -- $(CPPFLAGS) $(TIDY_WARN) $(AGENT_CFLAGS) || exit 1; done; } 2>/dev/null

clean:
	rm -rf build build-* ojx libojx-agent.so

-include $(wildcard build-fuzz/*/*/*.d build-fuzz/*/*/*/*.d $(BUILD)/*/*.d $(BUILD)/*/*/*.d $(BUILD)/*/*/*/*.d $(BASE)/agent/*.d $(BASE)/agent/*/*.d $(BASE)/agent/*/*/*.d)

.SECONDARY:
FORCE:
.PHONY: FORCE all cross root jdk unit install deb static dist demo test readers accuracy bench insn-truth insn-record stress fuzz compile_commands check-format lint clean matrix musl oldlibc deb-root broker soak
