/* SPDX-License-Identifier: Apache-2.0 */
/* context.c - the names of registers in processor.h are those of the C library. */
#define _GNU_SOURCE
#include <ucontext.h>

#include "arch/arch.h"

#define IS(name) _Static_assert((int)CONTEXT_##name == (int)REG_##name, #name)

IS(R8);
IS(R9);
IS(R10);
IS(R11);
IS(R12);
IS(R13);
IS(R14);
IS(R15);
IS(RDI);
IS(RSI);
IS(RBP);
IS(RBX);
IS(RDX);
IS(RAX);
IS(RCX);
IS(RSP);
IS(RIP);
