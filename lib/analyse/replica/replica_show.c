/* SPDX-License-Identifier: Apache-2.0 */
/* replica_show.c - what reports show of a row where it has two of a kind, and in which words; see replica.h. */
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

bool replica_saved_presumed(const struct replica *r)
{
	return replica_saved(r) > 0 && !r->constant_class && r->used_alike == 0;
}

struct replica_interval replica_saved_live(const struct replica *r)
{
	const struct replica_interval *as_such = &r->saved_live_ci, *deep = &r->saved_live_deep_ci;

	return deep->low > as_such->low || isnan(as_such->low) ? *deep : *as_such;
}

enum replica_verdict replica_shown(const struct replica *r, bool *deep)
{
	bool alike = r->verdict_deep == VERDICT_REPLICA || r->verdict_deep == VERDICT_FEW_VALUES;

	*deep = false;
	if (r->verdict == VERDICT_REPLICA ||
	    (r->verdict == VERDICT_FEW_VALUES && r->verdict_deep != VERDICT_REPLICA))
		return r->verdict;
	bool first = r->verdict == VERDICT_UNKNOWN || r->by_value;
	*deep = alike || (first && r->verdict_deep != VERDICT_UNKNOWN);
	/* that objects lead to different addresses is no reason to call them distinct: what is there must differ, too */
	if (!*deep && r->verdict == VERDICT_DISTINCT && r->refers &&
	    r->verdict_deep != VERDICT_DISTINCT)
		return VERDICT_UNKNOWN;
	return *deep ? r->verdict_deep : r->verdict;
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
