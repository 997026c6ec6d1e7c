/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.h - rows in the order of a key, which is kept while some of them change.
 *
 * Of a hundred thousand rows of a live table some hundred change between two looks. Those alone are sorted then, and put
 * among the others. Rows themselves are large, and stay where they are: they are told by their index.
 */
#ifndef OJX_ORDER_H
#define OJX_ORDER_H

#include "base/numset.h"
#include "report/columns.h"

struct order {
	const struct column *key;
	struct row_place *place; /* of each row */
	uint32_t *at;		 /* indices of rows: the first one, the second, ... */
	size_t n, room;
	bool several; /* rows are of more than one JVM */
	struct numset moved;
};

/* Sorts all rows. 0, or -1 where memory lacks. Release with order_release. */
int order_all(struct order *o, const struct rows *rows, const struct column *key,
	      const struct cell_context *ctx);
/*
 * The same, where since the last time only `changed` rows are others, or there are more rows at the end: those count as
 * changed.
 */
int order_some(struct order *o, const struct rows *rows, const struct numset *changed,
	       const struct cell_context *ctx);
void order_release(struct order *o);

#endif
