/* SPDX-License-Identifier: Apache-2.0 */
/* memtext.c - see memtext.h. */
#include "base/memtext.h"

#include "base/xmalloc.h"

FILE *memtext_begin(struct memtext *t)
{
	*t = (struct memtext){ .in = NULL };
	t->in = xgiven(open_memstream(&t->text, &t->len));
	return t->in;
}

char *memtext_end(struct memtext *t)
{
	int failed = ferror(t->in);

	return xgiven(fclose(t->in) == 0 && !failed ? t->text : NULL);
}

char *memtext_clean(const char *text, size_t len, enum utf8_mode mode)
{
	struct memtext clean;

	utf8_put(memtext_begin(&clean), text, len, mode);
	return memtext_end(&clean);
}
