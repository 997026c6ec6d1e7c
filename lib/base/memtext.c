/* SPDX-License-Identifier: Apache-2.0 */
/* memtext.c - see memtext.h. */
#include "base/memtext.h"

#include <stdlib.h>

FILE *memtext_begin(struct memtext *t)
{
	*t = (struct memtext){ .in = NULL };
	t->in = open_memstream(&t->text, &t->len);
	return t->in;
}

char *memtext_end(struct memtext *t)
{
	if (t->in && fclose(t->in) == 0)
		return t->text;
	free(t->text);
	return NULL;
}
