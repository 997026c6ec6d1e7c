/* SPDX-License-Identifier: Apache-2.0 */
/* counter.c - the virtual count, which has a constant speed by definition; see arch.h. */
#include "arch/arch.h"

bool arch_counter_constant(void)
{
	return true;
}
