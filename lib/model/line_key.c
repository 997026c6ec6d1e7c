/* SPDX-License-Identifier: Apache-2.0 */
/* line_key.c - see line_key.h. */
#include "model/line_key.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "model/platform.h"

uint64_t line_key_class(const struct model_class *class, uint32_t jvm)
{
	const char *name = class && class->name ? class->name : "";

	return XXH3_64bits_withSeed(name, strlen(name), jvm);
}

int line_key(struct callstack_hasher *h, const struct model_context *c, struct callstack_hash *key)
{
	size_t line = platform_line(NULL, h->model, c->jvm, c->stack_id);

	return callstack_hasher_frame(h, c->jvm, c->stack_id, line,
				      line_key_class(c->class, c->jvm), key);
}

bool line_key_wanted(const struct model_context *c, const struct findings_options *options)
{
	size_t i = 0;

	while (options->contexts && i < options->ncontexts && options->contexts[i] != c)
		i++;
	return !options->contexts || i < options->ncontexts;
}
