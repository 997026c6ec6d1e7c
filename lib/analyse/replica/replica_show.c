/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_show.c - chooses what reports show of a row that has two figures of a kind, and names
 * verdicts; see replica.h.
 */
#include <math.h>

#include "analyse/replica/replica.h"

bool replica_saved_deep(const struct replica *r)
{
	return r->saved_deep_bytes > r->saved_bytes ||
	       (isnan(r->saved_bytes) && !isnan(r->saved_deep_bytes));
}

double replica_saved(const struct replica *r)
{
	return fmax(r->saved_bytes, r->saved_deep_bytes);
}

double replica_likely(const struct replica *r)
{
	return replica_saved_deep(r) ? r->likely_deep_bytes : r->likely_bytes;
}

double replica_likely_end(const struct replica *r)
{
	return replica_saved_deep(r) ? r->likely_deep_end_bytes : r->likely_end_bytes;
}

double replica_saved_high(const struct replica *r)
{
	return replica_saved_deep(r) ? r->saved_deep_bytes_high : r->saved_bytes_high;
}

struct replica_interval replica_saved_live(const struct replica *r)
{
	const struct replica_interval *as_such = &r->saved_live_ci, *deep = &r->saved_live_deep_ci;

	return deep->low > as_such->low || isnan(as_such->low) ? *deep : *as_such;
}

/* Of two verdicts, the one that says for sure that objects can be merged, or says the most. */
static bool deep_is_better(enum replica_verdict such, enum replica_verdict with, bool by_value)
{
	if (such == VERDICT_SOME_EQUAL)
		return with == VERDICT_REPLICA || with == VERDICT_FEW_VALUES;
	if (with == VERDICT_REPLICA || with == VERDICT_FEW_VALUES || with == VERDICT_SOME_EQUAL)
		return true;
	if (with == VERDICT_ALIKE && such != VERDICT_ALIKE && such != VERDICT_CHANGING)
		return true;
	return (such == VERDICT_UNKNOWN || by_value) && with != VERDICT_UNKNOWN;
}

enum replica_verdict replica_shown(const struct replica *r, bool *deep)
{
	enum replica_verdict such = r->verdict, with = r->verdict_deep;

	*deep = false;
	if (such == VERDICT_REPLICA || (such == VERDICT_FEW_VALUES && with != VERDICT_REPLICA))
		return such;
	*deep = deep_is_better(such, with, r->by_value);
	/*
	 * Distinct objects differ in what is always comparable: primitive fields and lengths. So
	 * their deep contents differ, too. But the value of a string is not in its own fields, and
	 * nobody can split off what these have in common.
	 */
	bool own = such == VERDICT_DISTINCT || such == VERDICT_PARTIAL || such == VERDICT_CHANGING;
	if (!*deep && own && r->by_value && r->refers)
		return VERDICT_UNKNOWN;
	return *deep ? with : such;
}

bool replica_is_decided(enum replica_verdict v)
{
	return v != VERDICT_UNKNOWN && v != VERDICT_ALIKE;
}

const struct replica_decision *replica_decided(const struct replica *r)
{
	bool deep;

	replica_shown(r, &deep);
	return deep || (r->by_value && r->refers) ? &r->decision_deep : &r->decision;
}

const char *replica_source_name(enum replica_source s)
{
	switch (s) {
	case REPLICA_WATCH:
		return "watch";
	case REPLICA_SCAN:
		return "scan";
	default:
		return NULL;
	}
}
