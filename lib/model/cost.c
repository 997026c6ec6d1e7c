/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - see cost.h. */
#include "model/cost.h"

#include <math.h>

#include "wire/wire.h"

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

struct cost cost_of(const struct model *m)
{
	double measured = 0, whole = 0, cpu = 0, pause = 0, wall = 0;

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm || !jvm->has_status)
			continue;
		const struct file_status *s = &jvm->status;
		double ticks = fmin((double)s->tick_ns, (double)s->trap_ns);
		double others = (double)s->callback_ns + (double)s->trap_ns - ticks +
				(double)s->service_ns + (double)s->tool_ns;
		measured += others + ticks;
		whole += wire_cost_whole(others, (double)s->sampled) + ticks;
		cpu += (double)s->cpu_ns;
		pause += (double)s->pause_ns;
		wall += (double)s->wall_ns;
	}
	if (cpu <= 0)
		return (struct cost){ NAN, NAN };
	double pauses = wall > 0 ? pause / wall : 0;
	return (struct cost){ 100 * (measured / cpu + pauses), 100 * (whole / cpu + pauses) };
}
