/* SPDX-License-Identifier: Apache-2.0 */
/* same_model.c - see same_model.h. */
#include "same_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-9 * fabs(a)))
		fail_msg("%.17g and %.17g differ", a, b);
}

static void assert_same_frames(const struct model *a, const struct model *b, uint32_t jvm,
			       uint32_t stack)
{
	struct model_frame fa[WIRE_MAX_STACK];
	struct model_frame fb[WIRE_MAX_STACK];
	unsigned flags_a;
	unsigned flags_b;
	size_t n = model_stack(a, jvm, stack, fa, WIRE_MAX_STACK, &flags_a);

	assert_int_equal(n, model_stack(b, jvm, stack, fb, WIRE_MAX_STACK, &flags_b));
	assert_int_equal(flags_a, flags_b);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(fa[i].class_name, fb[i].class_name);
		assert_string_equal(fa[i].method, fb[i].method);
		assert_int_equal(fa[i].line, fb[i].line);
		assert_int_equal(fa[i].folded, fb[i].folded);
	}
}

static void assert_same_snapshots(const struct model_context *a, const struct model_context *b)
{
	assert_int_equal(a->snapshots_seen, b->snapshots_seen);
	assert_int_equal(a->nsnapshots, b->nsnapshots);
	for (size_t i = 0; i < a->nsnapshots; i++) {
		const struct model_snapshot *x = a->snapshots[i];
		const struct model_snapshot *y = b->snapshots[i];
		assert_int_equal(x->nslots, y->nslots);
		assert_memory_equal(x, y,
				    offsetof(struct model_snapshot, slot) +
					    x->nslots * sizeof x->slot[0]);
	}
}

static void assert_same_uses(const struct model_context *a, const struct model_context *b)
{
	assert_int_equal(a->uses_seen, b->uses_seen);
	assert_int_equal(a->nuses, b->nuses);
	for (size_t i = 0; i < a->nuses; i++)
		assert_memory_equal(a->uses[i], b->uses[i], sizeof *a->uses[i]);
}

static void assert_same_values(const struct model_context *a, const struct model_context *b)
{
	assert_int_equal(a->nvalues, b->nvalues);
	for (size_t i = 0; i < a->nvalues; i++) {
		const struct model_value *x = a->values[i];
		const struct model_value *y = b->values[i];
		assert_int_equal(x->len, y->len);
		assert_memory_equal(x, y, sizeof *x + x->len + 1);
	}
}

static void assert_same_context(const struct model_context *a, const struct model_context *b)
{
	assert_string_equal(a->class->name, b->class->name);
	assert_int_equal(a->stack_id, b->stack_id);
	assert_int_equal(a->sampled, b->sampled);
	assert_near(a->objects, b->objects);
	assert_near(a->bytes, b->bytes);
	assert_memory_equal(a->unused, b->unused, sizeof a->unused);
	assert_int_equal(a->nstrata, b->nstrata);
	for (size_t i = 0; i < a->nstrata; i++) {
		assert_int_equal(a->strata[i].array_length, b->strata[i].array_length);
		assert_int_equal(a->strata[i].size, b->strata[i].size);
		assert_int_equal(a->strata[i].sampled, b->strata[i].sampled);
		assert_near(a->strata[i].objects, b->strata[i].objects);
		assert_near(a->strata[i].squares, b->strata[i].squares);
	}
	assert_same_snapshots(a, b);
	assert_same_uses(a, b);
	assert_same_values(a, b);
}

static const struct model_context *twin_of(const struct model *m, const struct model_context *c)
{
	for (size_t i = 0; i < model_ncontexts(m); i++) {
		const struct model_context *twin = model_context(m, i);
		if (twin->jvm == c->jvm && twin->id == c->id)
			return twin;
	}
	fail_msg("no context %u of JVM %u", c->id, c->jvm);
	return NULL;
}

void assert_same_model(const struct model *a, const struct model *b)
{
	struct file_end end_a = { .wait_status = 0 };
	struct file_end end_b = { .wait_status = 0 };

	assert_int_equal(model_njvms(a), model_njvms(b));
	for (uint32_t j = 1; j <= model_njvms(a); j++)
		assert_memory_equal(model_jvm(a, j), model_jvm(b, j), sizeof(struct model_jvm));
	assert_int_equal(model_argc(a), model_argc(b));
	for (size_t i = 0; i < model_argc(a); i++)
		assert_string_equal(model_argv(a, i), model_argv(b, i));
	assert_int_equal(model_ended(a, &end_a), model_ended(b, &end_b));
	assert_memory_equal(&end_a, &end_b, sizeof end_a);
	assert_int_equal(model_ncontexts(a), model_ncontexts(b));
	for (size_t i = 0; i < model_ncontexts(a); i++) {
		const struct model_context *c = model_context(a, i);
		assert_same_context(c, twin_of(b, c));
		assert_same_frames(a, b, c->jvm, c->stack_id);
	}
}

void build_sites(struct builder *b, uint32_t n)
{
	for (uint32_t id = 1; id <= n; id++) {
		char class[32];
		snprintf(class, sizeof class, id % 2 ? "Lcom/acme/C%u;" : "[Lcom/acme/C%u;", id);
		build_site(b, id, class, "Lcom/acme/Main;", "run", (int)id);
	}
}

void build_event(struct builder *b, uint64_t i, uint32_t contexts)
{
	uint64_t r = build_random(i);
	uint32_t context = (uint32_t)(r >> 8) % (contexts + 1);
	uint32_t array_length = context % 2 ? 0 : (uint32_t)(r >> 20) % 50;
	uint64_t value = build_random(i + (1ull << 40));
	uint32_t slots[WIRE_SLOTS];
	uint16_t nslots = (uint16_t)(value % (WIRE_SLOTS + 1));
	char text[32];

	switch (r % 5) {
	case 0:
		build_alloc(b, context, array_length, 16 + 8 * (uint64_t)array_length,
			    1 + (double)(r >> 54));
		break;
	case 1:
		for (uint16_t k = 0; k < nslots; k++)
			slots[k] = (uint32_t)(value >> k);
		build_snapshot(b,
			       &(struct wire_snapshot){ .context = context,
							.array_length = array_length,
							.epoch = (uint32_t)(i / 1000),
							.flags = WIRE_TWICE | WIRE_DEEP,
							.content = value % 100,
							.weight = 1 + (double)(r >> 60),
							.deep = value % 10000,
							.ticket = (uint32_t)(r >> 32),
							.nodes = 2,
							.deep_bytes = (uint32_t)(value >> 40),
							.zeros = (uint32_t)(value >> 7) },
			       slots, nslots);
		break;
	case 3:
		snprintf(text, sizeof text, "text %llu", (unsigned long long)value);
		build_value(b, context, value % 10000, text);
		break;
	case 2:
		build_use(b, &(struct wire_use){ .context = context,
						 .array_length = array_length,
						 .epoch = (uint32_t)(i / 1000),
						 .size = 4,
						 .access = 1 + context,
						 .position = array_length / 2,
						 .value = value % 10,
						 .content = value % 100,
						 .weight = 1 + (double)(r >> 60),
						 .ticket = (uint32_t)(r >> 32) });
		break;
	default:
		build_unused(b, context, (uint32_t)(value % (WIRE_UNUSED_LOST + 1)));
	}
}
