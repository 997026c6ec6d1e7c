/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - see cost.h. */
#include "model/cost.h"

#include <math.h>

double cost_cpu_seconds(const struct model *m)
{
	double cpu = 0;

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (jvm && jvm->has_status)
			cpu += (double)jvm->status.cpu_ns;
	}
	return cpu / 1e9;
}

double cost_percent(const struct model *m)
{
	double spent = 0, cpu = 0, pause = 0, wall = 0;

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm || !jvm->has_status)
			continue;
		const struct file_status *s = &jvm->status;
		spent += (double)s->callback_ns + (double)s->trap_ns + (double)s->service_ns +
			 (double)s->tool_ns;
		cpu += (double)s->cpu_ns;
		pause += (double)s->pause_ns;
		wall += (double)s->wall_ns;
	}
	if (cpu <= 0)
		return NAN;
	return 100 * (spent / cpu + (wall > 0 ? pause / wall : 0));
}
