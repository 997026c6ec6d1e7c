/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.c - AsyncGetCallTrace, and corrections for its use at a trap.
 *
 *  - A trap may report the next instruction. The accessing one may have another bytecode position
 *    and other inlined frames. So the VM is asked about the accessing one (walk_within).
 *  - The interpreter keeps the bytecode position in a register and saves it only at calls. The top
 *    frame's position is taken from the register.
 *  - Stubs (array copies, fills) have no Java frame. Their frame is popped.
 */
#define _GNU_SOURCE
#include "hotspot/walk.h"

#include <dlfcn.h>
#include <ucontext.h>

#include "arch/arch.h"
#include "core/jvm.h"
#include "core/peek.h"
#include "core/thread.h"
#include "hotspot/ids.h"
#include "hotspot/javastack.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/metadata/methods.h"
#include "hotspot/stacks.h"
#include "hotspot/vmstructs.h"

#define FRAME_MAX  (64u << 10) /* a stub's frame is much smaller */
#define NATIVE_BCI (-3)
#define BCI_MAX	   65535

/* HotSpot defines this layout. It reads the first and the last member and writes the second. */
struct asgct_trace {
	/* cppcheck-suppress unusedStructMember */
	JNIEnv *jni;
	jint num_frames;
	/* cppcheck-suppress unusedStructMember */
	struct asgct_frame *frames;
};

static void (*async_get_call_trace)(struct asgct_trace *trace, jint depth, void *ucontext);
static uintptr_t interpreter_low, interpreter_high;
static size_t method_const_method, const_method_size;

static const char *init(const struct part_start *start)
{
	const struct vmstructs *vm = start->vm;

	if (!ojx.walks)
		return PART_UNASKED;
	jvm_enable(JVMTI_EVENT_CLASS_LOAD); /* AsyncGetCallTrace wants it */
	ranges_init(vm);
	*(void **)&async_get_call_trace = dlsym(ojx.dl, "AsyncGetCallTrace");
	if (!vmstructs_interpreter(vm, &interpreter_low, &interpreter_high))
		interpreter_low = interpreter_high = 0;
	method_const_method = vm->method_const_method;
	const_method_size = vm->const_method_size;
	return async_get_call_trace ? NULL : "this JVM has no AsyncGetCallTrace";
}

/* [handler] */
static jint call_trace(struct thread *t, ucontext_t *context)
{
	struct asgct_trace trace = { .jni = t->jni, .frames = t->asgct_frames };
	async_get_call_trace(&trace, (jint)(ojx.config.max_stack + INTRINSICS_FRAMES + 1), context);
	return trace.num_frames;
}

/* [handler] Whether n bytes at `at` lie in the used part of the thread's stack. */
static bool on_stack(const struct thread *t, uintptr_t sp, uintptr_t at, size_t n)
{
	return at % sizeof(uintptr_t) == 0 && at >= sp && at - sp < FRAME_MAX &&
	       at + n <= t->stack_high;
}

/* [handler] Pops the frame of a stub, which has a frame pointer or only a return address. */
static bool pop_frame(const struct thread *t, ucontext_t *context, bool has_frame)
{
	uintptr_t far = arch_sp(context) + FRAME_MAX;

	return arch_pop_stub(context, has_frame, far < t->stack_high ? far : t->stack_high);
}

/*
 * [handler] Takes the interpreter's position from its register, which points into the bytecodes
 * behind the ConstMethod.
 */
static void fix_interpreted(struct thread *t, const ucontext_t *context)
{
	uintptr_t ip = arch_pc(context), const_method = 0;
	uintptr_t slot = arch_fp(context) + (uintptr_t)(ARCH_METHOD * (int)sizeof ip);

	if (ip < interpreter_low || ip >= interpreter_high || !const_method_size ||
	    t->asgct_frames[0].bci == NATIVE_BCI ||
	    !on_stack(t, arch_sp(context), slot, sizeof(uintptr_t)))
		return;
	uintptr_t method = *(const uintptr_t *)slot;
	if (!peek(method + method_const_method, &const_method, sizeof const_method))
		return;
	uintptr_t bci = arch_bytecode(context) - const_method - const_method_size;
	if (bci <= BCI_MAX)
		t->asgct_frames[0].bci = (jint)bci;
}

/* [handler] */
static jint walk(struct thread *t, const ucontext_t *trapped, uintptr_t at, ucontext_t *context)
{
	*context = *trapped;
	arch_set_pc(context, at);
	jint n = call_trace(t, context);
	if (n > 0) {
		fix_interpreted(t, context);
		return n;
	}
	for (int has_frame = 1; has_frame >= 0 && n <= 0; has_frame--) {
		*context = *trapped;
		if (pop_frame(t, context, has_frame))
			n = call_trace(t, context);
	}
	return n;
}

/* [handler] Numbers the methods. Returns how many frames are without one. */
static uint32_t number_frames(struct thread *t, uint32_t n)
{
	uint32_t unknown = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t method = methods_number(t->asgct_frames[i].method);
		t->handler_frames[i] = (struct wire_frame){
			.method = method,
			.bci = t->asgct_frames[i].bci,
		};
		unknown += method == METHODS_UNKNOWN;
	}
	return unknown;
}

uint32_t walk_stack(struct thread *t, const void *ucontext, uintptr_t at)
{
	ucontext_t context;
	jint n = async_get_call_trace ? walk(t, ucontext, at, &context) : 0;

	if (n <= 0) {
		status_add(stack_errors, 1);
		return 0;
	}
	uint32_t unknown = number_frames(t, (uint32_t)n);
	if (unknown) {
		const struct javastack_place from = { .pc = arch_pc(&context),
						      .sp = arch_sp(&context),
						      .fp = arch_fp(&context) };
		unknown -= javastack_fill(t, &from, t->handler_frames, (uint32_t)n);
	}
	ids_missed(unknown, (uint32_t)n, t->carrier);
	return stacks_take(t->handler_frames, (uint32_t)n, NULL);
}

const struct part walk_part = { .name = "stacks in handlers", .init = init };
