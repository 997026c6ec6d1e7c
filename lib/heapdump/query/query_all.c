/* SPDX-License-Identifier: Apache-2.0 */
/* query_all.c - see query.h: all that is asked. What was counted before does not count again. */
#include "heapdump/query/query.h"

#include <string.h>

void query_all(struct query *q, struct heap *h, const struct merge *m)
{
	size_t bits = bits_bytes(h->n);

	*q = (struct query){ .h = h, .m = m, .counted = xmalloc(bits) };
	memcpy(q->counted, m->gone, bits);
	query_collections(q);
	query_arrays(q);
	query_fields(q);
	query_outer(q);
	query_references(q);
	query_keys(q);
	query_loaders(q);
	query_buffers(q);
	query_end(q);
}
