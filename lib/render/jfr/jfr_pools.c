/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_pools.c - see jfr_pools.h. The order of fields is that of the JDK's own recordings: some
 * readers take it for granted.
 */
#include "render/jfr/jfr_pools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/javaname.h"
#include "base/memtext.h"
#include "render/jfr/jfr_put.h"
#include "render/jfr/jfr_types.h"

/* The kind of all frames: how a method was run is not known. */
enum { THE_FRAME_TYPE = 1 };
#define FRAME_TYPE "Unknown"

/* Descriptors of methods are not known. Readers look for the parameters between parentheses, and
 * for the name of a type behind them, which is empty here. */
#define DESCRIPTOR "()L;"

#define OWN_CLASS "ojx"

static const enum jfr_kind kind_of_pool[JFR_POOLS] = {
	[JFR_POOL_TEXTS] = JFR_STRING,	   [JFR_POOL_SYMBOLS] = JFR_SYMBOL,
	[JFR_POOL_PACKAGES] = JFR_PACKAGE, [JFR_POOL_CLASSES] = JFR_CLASS,
	[JFR_POOL_METHODS] = JFR_METHOD,   [JFR_POOL_STACKS] = JFR_STACK,
};

void jfr_pools_release(struct jfr_pools *p)
{
	for (int i = 0; i < JFR_POOLS; i++) {
		hash_numbers_release(&p->pool[i].numbers);
		bytes_release(&p->pool[i].constants);
	}
	bytes_release(&p->stack);
	hash_numbers_release(&p->places);
	free(p->methods);
}

/*
 * The number of the constant with this key. A new one gets its number in the pool, and the caller
 * adds its fields.
 */
static uint32_t number_of(struct jfr_pools *p, enum jfr_pool_kind kind, const void *key, size_t len,
			  bool *is_new)
{
	struct jfr_pool *pool = &p->pool[kind];
	uint32_t number = xhash_numbers_of(&pool->numbers, XXH3_128bits(key, len), is_new);

	if (*is_new)
		jfr_put_number(&pool->constants, ++number);
	else
		++number;
	return number;
}

static uint32_t number_of_text(struct jfr_pools *p, enum jfr_pool_kind kind, const char *text)
{
	bool is_new;

	if (!text)
		return 0;
	uint32_t number = number_of(p, kind, text, strlen(text), &is_new);
	if (is_new)
		jfr_put_text(&p->pool[kind].constants, text);
	return number;
}

uint32_t jfr_pools_text(struct jfr_pools *p, const char *text)
{
	return number_of_text(p, JFR_POOL_TEXTS, text);
}

uint32_t jfr_pools_written(struct jfr_pools *p, void (*put)(FILE *out, const void *what),
			   const void *what)
{
	struct memtext gathered;

	put(memtext_begin(&gathered), what);
	char *text = memtext_end(&gathered);
	uint32_t number = *text ? jfr_pools_text(p, text) : 0;
	free(text);
	return number;
}

/* ---- classes ------------------------------------------------------------------------------- */

static char primitive_letter(const char *name, size_t len)
{
	for (const char *letter = "ZBCSIJFD"; *letter; letter++) {
		const char *word = javaname_primitive(*letter);
		if (strlen(word) == len && memcmp(word, name, len) == 0)
			return *letter;
	}
	return '\0';
}

/*
 * Writes the JVM's name of a class: "com/acme/Shop", "[B", "[Lcom/acme/Shop;". Characters that no
 * name of a class has would be read as a part of a descriptor; they become '_'. `to` has room for
 * the length of the name and two more.
 */
static void put_jvm_name(char *to, const char *name)
{
	size_t len = strlen(name), dimensions = 0;

	for (; len > 2 && memcmp(name + len - 2, "[]", 2) == 0; len -= 2)
		dimensions++;
	char letter = dimensions ? primitive_letter(name, len) : '\0';
	memset(to, '[', dimensions);
	to += dimensions;
	if (letter)
		*to++ = letter;
	else if (dimensions)
		*to++ = 'L';
	for (size_t i = 0; i < len && !letter; i++)
		*to++ = (char)(name[i] == '.' ? '/' : strchr("[;", name[i]) ? '_' : name[i]);
	if (dimensions && !letter)
		*to++ = ';';
	*to = '\0';
}

/* The package of the class with this JVM's name; 0 for arrays, as in the JDK's recordings. */
static uint32_t package_of(struct jfr_pools *p, const char *jvm_name)
{
	const char *slash = strrchr(jvm_name, '/');
	bool is_new;

	if (!slash || jvm_name[0] == '[')
		return 0;
	size_t len = (size_t)(slash - jvm_name);
	uint32_t number = number_of(p, JFR_POOL_PACKAGES, jvm_name, len, &is_new);
	if (!is_new)
		return number;
	char *name = xstrndup(jvm_name, len);
	jfr_put_number(&p->pool[JFR_POOL_PACKAGES].constants,
		       number_of_text(p, JFR_POOL_SYMBOLS, name));
	free(name);
	return number;
}

uint32_t jfr_pools_class(struct jfr_pools *p, const char *name)
{
	bool is_new;

	if (!name)
		return 0;
	uint32_t number = number_of(p, JFR_POOL_CLASSES, name, strlen(name), &is_new);
	if (!is_new)
		return number;
	char *jvm_name = xmalloc(strlen(name) + 3);
	struct bytes *to = &p->pool[JFR_POOL_CLASSES].constants;
	put_jvm_name(jvm_name, name);
	jfr_put_number(to, 0); /* its loader */
	jfr_put_number(to, number_of_text(p, JFR_POOL_SYMBOLS, jvm_name));
	jfr_put_number(to, package_of(p, jvm_name));
	jfr_put_number(to, 0);	 /* modifiers */
	jfr_put_fixed(to, 0, 1); /* not hidden */
	free(jvm_name);
	return number;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static uint32_t method_of(struct jfr_pools *p, const char *class_name, const char *method)
{
	uint32_t key[2] = { jfr_pools_class(p, class_name),
			    number_of_text(p, JFR_POOL_SYMBOLS, method) };
	bool is_new;

	uint32_t number = number_of(p, JFR_POOL_METHODS, key, sizeof key, &is_new);
	if (!is_new)
		return number;
	struct bytes *to = &p->pool[JFR_POOL_METHODS].constants;
	jfr_put_number(to, key[0]);
	jfr_put_number(to, key[1]);
	jfr_put_number(to, number_of_text(p, JFR_POOL_SYMBOLS, DESCRIPTOR));
	jfr_put_number(to, 0);	 /* modifiers */
	jfr_put_fixed(to, 0, 1); /* not hidden */
	return number;
}

/*
 * The number of a frame's method. It is looked up by the addresses of its two names, since nearly
 * all frames with the same names have them at the same addresses.
 */
static uint32_t method_of_frame(struct jfr_pools *p, const struct model_frame *f)
{
	const char *names[2] = { f->class_name ? f->class_name : "?", f->method ? f->method : "?" };
	bool is_new;
	uint32_t place = xhash_numbers_of(&p->places, XXH3_128bits(names, sizeof names), &is_new);

	XGROW(p->methods, place, p->room, 1024);
	if (is_new)
		p->methods[place] = method_of(p, names[0], names[1]);
	return p->methods[place];
}

/* Adds a frame; a line or an index of bytecode that is not known is -1, as the JDK says it. */
static void put_frame(struct jfr_pools *p, const struct model_frame *f)
{
	char fold[sizeof "[recursion of  frames]" + 3 * sizeof f->folded];
	uint32_t method;

	if (f == &callstack_unread) {
		method = method_of(p, OWN_CLASS, f->method);
	} else if (f->folded > 0) {
		snprintf(fold, sizeof fold, "[recursion of %d frame%s]", f->folded,
			 f->folded == 1 ? "" : "s");
		method = method_of(p, OWN_CLASS, fold);
	} else {
		method = method_of_frame(p, f);
	}
	bool has_bci = f->folded <= 0 && f->bci >= 0;
	jfr_put_number(&p->stack, method);
	jfr_put_number(&p->stack, (uint32_t)(f->folded <= 0 && f->line > 0 ? f->line : -1));
	jfr_put_number(&p->stack, (uint32_t)(has_bci ? f->bci : -1));
	jfr_put_number(&p->stack, THE_FRAME_TYPE);
}

uint32_t jfr_pools_stack(struct jfr_pools *p, const struct callstack *stack, size_t first,
			 size_t end, bool cut)
{
	bool is_new;

	if (end > stack->n)
		end = stack->n;
	if (first >= end)
		return 0;
	bool unread = cut && (stack->flags & WIRE_STACK_COUNTED);
	bytes_clear(&p->stack);
	jfr_put_fixed(&p->stack, cut, 1);
	jfr_put_number(&p->stack, end - first + unread);
	for (size_t i = first; i < end; i++)
		put_frame(p, &stack->frames[i]);
	if (unread)
		put_frame(p, &callstack_unread);
	uint32_t number = number_of(p, JFR_POOL_STACKS, p->stack.data, p->stack.len, &is_new);
	if (is_new)
		bytes_append(&p->pool[JFR_POOL_STACKS].constants, &p->stack);
	return number;
}

/* ---- the pools ----------------------------------------------------------------------------- */

void jfr_pools_put(struct bytes *to, const struct jfr_pools *p)
{
	size_t n = 1;

	for (int i = 0; i < JFR_POOLS; i++)
		n += p->pool[i].numbers.n > 0;
	jfr_put_number(to, n);
	for (int i = 0; i < JFR_POOLS; i++) {
		if (p->pool[i].numbers.n == 0)
			continue;
		jfr_put_number(to, kind_of_pool[i]);
		jfr_put_number(to, p->pool[i].numbers.n);
		bytes_append(to, &p->pool[i].constants);
	}
	jfr_put_number(to, JFR_FRAME_TYPE);
	jfr_put_number(to, 1);
	jfr_put_number(to, THE_FRAME_TYPE);
	jfr_put_text(to, FRAME_TYPE);
}
