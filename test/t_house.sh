#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The structure of the tree (test/house.py): it has no fault, and the check finds each kind of
# fault.
. "$(dirname "$0")/lib.sh"

"$TOP/test/house.py" "$TOP" >"$TMP/faults" 2>&1
for kind in up circle memory name twice alone long processor shared size named state; do
	grep "^$kind:" "$TMP/faults" >"$TMP/$kind"
	check "no fault in the tree: $kind" diff /dev/null "$TMP/$kind"
done
grep -Ev '^(up|circle|memory|name|twice|alone|long|processor|shared|size|named|state):' "$TMP/faults" >"$TMP/other"
check "nor any other" diff /dev/null "$TMP/other"

# What `make test` does not build must compile, too.
for f in "$TOP"/test/fuzz/*.c "$TOP"/test/insn/*.c; do
	check "it compiles: ${f#"$TOP"/}" "${CC:-cc}" -std=gnu11 -Wall -Wextra -Wshadow -Werror -fsyntax-only \
		-I"$TOP/lib" -I"$TOP/agent" -I"$TOP/agent/arch/$(uname -m)" -I"$TOP/test/unit" -I"$TOP" "$f"
done

# A tree with each fault once. No correct file is reported.
cd "$TMP" || exit 1
mkdir -p tree/{cmd,agent,test} tree/lib/{wire,base,file,model} tree/agent/base tree/build/lib/{base,file}

# put FILE LINE...
put()
{
	local file=tree/$1 name=${1##*/}
	shift
	printf '%s\n' "$@" >"$file"
	case $name in *.[ch]) sed -i "1i /* SPDX-License-Identifier: Apache-2.0 */ /* $name - an example */" "$file" ;; esac
}

# faults KIND: the faults of the small tree
faults()
{
	"$TOP/test/house.py" tree 2>&1 | sed -n "s/^$1: //p"
}

put lib/base/text.h '#include <stddef.h>' 'size_t text_len(const char *text);'
put lib/base/text.c '#include "base/text.h"' 'size_t text_len(const char *text) { return text[0]; }'
put lib/model/model.h '#include "base/text.h"' 'size_t model_len(void);'
put lib/model/model_private.h '#include "model/model.h"'
put lib/model/model.c '#include "model/model_private.h"' 'size_t model_len(void) { return text_len(""); }'
put cmd/main.c '#include "model/model.h"' 'int main(void) { return (int)model_len(); }'
is "a tree without a fault" "$("$TOP/test/house.py" tree 2>&1)" ""

put lib/file/up.c '#include "model/model.h"'
is "an include that goes up" "$(faults up)" "lib/file/up.c includes lib/model/model.h"
put lib/file/up.c '#include "base/text.h"'
is "one that goes down is none" "$(faults up)" ""

put lib/file/a.h '#include "file/b.h"'
put lib/file/b.h 'extern int b;'
put lib/file/b.c '#include "file/b.h"' '#include "file/c.h"' 'int b;'
put lib/file/c.h '#include "file/a.h"'
is "a circle of three files" "$(faults circle)" "by includes: lib/file/a, lib/file/b, lib/file/c"
put lib/file/b.c '#include "file/b.h"' '#include "file/a.h"' 'int b;'
is "a circle of two files" "$(faults circle)" "by includes: lib/file/a, lib/file/b"
put lib/file/b.c '#include "file/b.h"' 'int b;'
is "files in a row are no circle" "$(faults circle)" ""

# Calls are seen only in object files.
put lib/base/x.c 'int y(void);' 'int x(void) { return y(); }'
put lib/base/y.c 'int x(void);' 'int y(void) { return x(); }'
for f in x y; do
	"${CC:-cc}" -c -o tree/build/lib/base/$f.o tree/lib/base/$f.c || exit 1
done
is "a circle of calls" "$(faults circle)" "by calls: lib/base/x.c, lib/base/y.c"
mv tree/lib/base/y.c tree/lib/file/
mv tree/build/lib/base/y.o tree/build/lib/file/
is "a call that goes up" "$(faults up)" "lib/base/x.c calls lib/file/y.c"
rm tree/lib/{base/x,file/y}.c
is "objects whose file is gone count for nothing" "$(faults up)$(faults circle)" ""

# What records must not end where memory lacks: neither itself nor in what it calls, unless that is a report's.
mkdir -p tree/{,build/}lib/{report,record}
put lib/base/xmalloc.c 'void *xmalloc(void) { return 0; }'
put lib/base/list.c 'void *xmalloc(void);' 'void list(void) { xmalloc(); }'
put lib/record/session.c 'void list(void); void rows(void);' 'void session(void) { list(); rows(); }'
put lib/report/rows.c 'void *xmalloc(void);' 'void rows(void) { xmalloc(); }'
for f in base/xmalloc base/list record/session report/rows; do
	"${CC:-cc}" -c -o tree/build/lib/$f.o tree/lib/$f.c || exit 1
done
is "a recorder that ends where memory lacks" "$(faults memory)" \
	"lib/record/session.c calls lib/base/list.c calls lib/base/xmalloc.c"
rm tree/lib/{base/xmalloc,base/list,record/session,report/rows}.c

put lib/file/near.c '#include "b.h"'
is "an include without its folder" "$(faults name)" 'lib/file/near.c includes "b.h"'
rm tree/lib/file/near.c

put agent/base/text.h 'extern int text;'
is "a path that means two files" "$(faults twice)" "base/text.h"
rm tree/agent/base/text.h

put lib/base/needy.h 'size_t needy(void);'
like_fault='^lib/base/needy\.h: .*size_t'
faults alone >"$TMP/alone"
like "a header that needs another one before it" "$TMP/alone" "$like_fault"
is "and no other" "$(wc -l <"$TMP/alone")" 1
rm tree/lib/base/needy.h

line=$(printf '/* %0100d */' 0)
printf '%s\n' '/* SPDX-License-Identifier: Apache-2.0 */' '/* Something. */' 'int about;' >tree/lib/file/about.c
is "a file that does not say what it is about" "$(faults subject)" lib/file/about.c
rm tree/lib/file/about.c

put lib/file/wide.c 'int wide;' "$line"
is "a line of more than 100 columns" "$(faults long)" "lib/file/wide.c:3"
put lib/file/wide.c 'int wide;' "	\"$line\""
is "but not that of a text" "$(faults long)" ""

# What is a processor's: each sort once, and what is not meant.
mkdir -p tree/agent/arch/x86_64 tree/lib/insn/z80
put agent/arch/x86_64/processor.h '#include <x86intrin.h>' 'static inline unsigned long now(void) { return __rdtsc(); }'
put lib/insn/z80/z80.h 'extern int z80;'
put lib/file/wide.c '#include <cpuid.h>' '/* REG_RIP and __x86_64__ in a comment */' '#ifdef __aarch64__' '#endif' '#include "insn/z80/z80.h"' \
	'long a(const void *u) { return ((const ucontext_t *)u)->uc_mcontext.gregs[0]; }' 'int b = REG_RSP;' \
	'void c(void) { __asm__ volatile("nop"); }' '__asm__(".symver d,d@GLIBC_2.17");' 'int e = CS_ARCH_X86;' \
	'void f(void) { __builtin_ia32_pause(); }'
is "what only a processor's folder may have" "$(faults processor)" "lib/file/wide.c:2: #include <cpuid.h>
lib/file/wide.c:4: __aarch64__
lib/file/wide.c:6: #include \"insn/z80/
lib/file/wide.c:7: uc_mcontext
lib/file/wide.c:8: REG_RSP
lib/file/wide.c:9: __asm__ volatile(
lib/file/wide.c:11: CS_ARCH_X86
lib/file/wide.c:12: __builtin_ia32_pause"
rm -r tree/agent/arch tree/lib/insn

put lib/file/wide.c '/* volatile */ int wide;' 'static volatile sig_atomic_t came;' 'void set(volatile uint64_t *watched);'
is "volatile that shares nothing" "$(faults shared)" ""
put lib/file/wide.c 'volatile int wide;' 'int add(int *to) { return __sync_fetch_and_add(to, 1); }'
is "memory that is shared by other means than atomics" "$(faults shared)" "lib/file/wide.c:2
lib/file/wide.c:3"
put lib/file/wide.c 'int get(_Atomic int *x) { return atomic_load_explicit(x, memory_order_relaxed); }' \
	'void stop(void) { atomic_thread_fence(memory_order_seq_cst); }' 'void start(_Atomic int *x) { atomic_init(x, 1); }'
is "atomics that name their order" "$(faults shared)" ""
put lib/file/wide.c 'int get(_Atomic int *x) { return atomic_load(x); }' 'void add(_Atomic int *x) { atomic_fetch_add(x, 1); }'
is "atomics that do not" "$(faults shared)" "lib/file/wide.c:2
lib/file/wide.c:3"

# many N: N lines
many()
{
	yes 'x++;' | head -n "$1"
}
put lib/file/wide.c 'int first(int x)' '{' "$(many 76)" 'return x;' '}' '' '/* the head has two lines */' \
	'int second(int x,' 'int y)' '{' "$(many 75)" 'return x + y;' '}'
is "functions of 80 lines" "$(faults size)" ""
put lib/file/wide.c 'int first(int x)' '{' "$(many 76)" 'return x;' '}' '' '/* the head has two lines */' \
	'int second(int x,' 'int y)' '{' "$(many 76)" 'return x + y;' '}'
is "a function of more than 80" "$(faults size)" "lib/file/wide.c:84 has 81 lines"
put lib/file/wide.c 'int wide;'
put test/short.py "$(many 500)"
put test/great.py "$(many 501)"
is "a file of more than 500" "$(faults size)" "test/great.py has 501 lines"
rm tree/test/{short,great}.py

# What pages name. ALL CAPITALS stand for any name.
mkdir tree/docs
put docs/page.md 'The file `lib/file/b.c`, `b.h`, the folder `lib/file/`; [a page](page.md#part) and <https://x.org/a.c>;' \
	'`lib/file/THAT.c`, `lib/*/b.[ch]`, `Example.java`, `ojx.html`.'
is "a page that names what is there" "$(faults named)" ""
put docs/page.md 'The file `lib/file/gone.c`, `gone.h`, the folder `lib/gone/`; `cmd/THAT_gone.c`;' \
	'[a page](gone.md#part).'
is "a page that names what is not there" "$(faults named)" "docs/page.md:1: lib/file/gone.c
docs/page.md:1: gone.h
docs/page.md:1: lib/gone/
docs/page.md:1: cmd/THAT_gone.c
docs/page.md:2: gone.md"
put lib/file/wide.c 'int wide; /* see lib/file/b.h, b.c and linux/futex.h */'
is "a comment that names what is there" "$(faults named | grep -v page)" ""
put lib/file/wide.c 'int wide; /* see gone.h' ' * and lib/base/b.c */'
is "a comment that names what is not there" "$(faults named | grep -v page)" "lib/file/wide.c:2: gone.h
lib/file/wide.c:2: lib/base/b.c"
put lib/file/wide.c 'int wide;'
rm tree/docs/page.md

# The agent's variables: one that is reset, and one of each kind that has to be named.
put state.c 'int reset = 1, zero; __thread int of_thread; __attribute__((section("outlives_session"))) int kept;' \
	'__attribute__((section("elsewhere"))) int lost = 1;'
"${CC:-cc}" -shared -fPIC -Wl,-z,now -o tree/libojx-agent.so tree/state.c || exit 1
put docs/architecture.md '### What outlives a recording' '| `kept` | a | b |' '| `gone` | a | b |' '## More' '| `of_thread` | a | b |'
is "variables that nobody resets" "$(faults state)" "section elsewhere
there is no gone
of_thread is not named"

# Editors learn how each file is compiled.
make -s -C "$TOP" compile_commands >"$TMP/make" 2>&1
python3 - "$TOP" >"$TMP/commands" 2>&1 <<'PYTHON'
import glob, json, platform, re, shlex, sys
top = sys.argv[1]
rows = json.load(open(top + "/build/compile_commands.json"))
files = {f for d in ("cmd", "lib", "agent", "test/unit") for f in glob.glob(d + "/**/*.c", root_dir=top, recursive=True)}
# of other processors than this machine's nothing is compiled but their instructions
other = re.compile(r"(agent/arch|lib/host|test/unit)/(?!%s/)[^/]+/" % platform.machine())
print("\n".join(sorted(f for f in files - {r["file"] for r in rows} if not other.match(f))), end="")
for r in rows:
    words = shlex.split(r["command"])
    if r["directory"] != top or words[-1] != r["file"] or "-Ilib" not in words:
        print(r)
PYTHON
is "make compile_commands has each file" "$(cat "$TMP/make" "$TMP/commands")" ""

done_testing
