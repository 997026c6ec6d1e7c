/* SPDX-License-Identifier: Apache-2.0 */
/* context.c - vector registers in the context of a signal: one of the kernel's records there. */
#include <asm/sigcontext.h>

#include "arch/arch.h"

const void *arch_vector_bytes(const void *ucontext)
{
	const unsigned char *records = arch_context(ucontext)->__reserved;
	const size_t room = sizeof arch_context(ucontext)->__reserved;
	struct _aarch64_ctx head;

	for (size_t at = 0; at + sizeof(struct fpsimd_context) <= room; at += head.size) {
		memcpy(&head, records + at, sizeof head);
		if (head.magic == FPSIMD_MAGIC)
			return records + at + offsetof(struct fpsimd_context, vregs);
		if (head.magic == 0 || head.size < sizeof head || head.size > room - at)
			break;
	}
	return NULL;
}
