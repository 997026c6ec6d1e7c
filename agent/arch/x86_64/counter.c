/* SPDX-License-Identifier: Apache-2.0 */
/* counter.c - whether the time stamp counter can be used; see arch.h. */
#include "arch/arch.h"

#include <cpuid.h>
#include <sys/prctl.h>

#define POWER_LEAF   0x80000007
#define CONSTANT_TSC (1u << 8) /* in edx */

bool arch_counter_constant(void)
{
	uint32_t a, b, c, d;
	int allowed = PR_TSC_ENABLE;

	return __get_cpuid(POWER_LEAF, &a, &b, &c, &d) && d & CONSTANT_TSC &&
	       prctl(PR_GET_TSC, &allowed) == 0 && allowed == PR_TSC_ENABLE;
}
