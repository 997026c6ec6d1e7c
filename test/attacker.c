/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attacker - tries to find out from a recording what objects held. It knows all of the source.
 *
 *	attacker guess [-k KEY] [-n INTS] FILE WORD...
 *		Hashes all texts of single elements, the words, the words that are numbers, and
 *		all INTS first ints (1024 at a time), and prints what it finds in the recording.
 *		Without KEY (32 hexadecimal digits) it tries no key and the key 0.
 *	attacker alphabet FILE KNOWN OTHER
 *		Prints how many slots of char arrays of length OTHER it can read, in percent, if it
 *		knows those of length KNOWN.
 *	attacker common FILE FILE
 *		Prints for each kind of hash how many one recording has, and how many both have.
 *	attacker zeros FILE SIGNATURE LENGTH
 *		Prints what is told of zeros in objects of the class and array length.
 *	attacker hashes FILE
 *		Prints all hashes of contents, decimal and hexadecimal.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "attacker.h"
#include "file/datafile.h"

enum { LARGEST = 64, MOST_ARRAYS = 3000 };

/* ---- what is in a recording ---------------------------------------------------------------- */

static const char *const names[KINDS] = { "content", "deep", "fixed", "value", "window", "slot" };

void *need(void *p)
{
	if (!p)
		exit(2);
	return p;
}

static void add(struct recording *r, const struct hash *h)
{
	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 1 << 16;
		r->list = need(realloc(r->list, r->room * sizeof *r->list));
	}
	r->list[r->n++] = *h;
}

/* The same with another hash. */
static void add_kind(struct recording *r, struct hash h, enum kind kind, uint64_t hash)
{
	h.kind = kind;
	h.hash = hash;
	add(r, &h);
}

static void take_class(struct recording *r, const struct wire_class *w)
{
	struct class *c = &r->classes[w->id % IDS];
	const char *at = (const char *)w + wire_pad(sizeof *w + w->signature_len);

	c->signature = need(strndup((const char *)(w + 1), w->signature_len));
	c->salt = XXH3_64bits(c->signature, w->signature_len);
	c->element_size = w->element_size;
	c->nfields = w->nfields;
	for (uint32_t i = 0; i < w->nfields && i < WIRE_SLOTS; i++) {
		const struct wire_field *f = (const struct wire_field *)at;
		c->field_size[i] = f->size;
		c->reference[i] = f->type == 'L' || f->type == '[';
		at += wire_pad(sizeof *f + f->name_len + f->declarer_len + f->signature_len);
	}
}

static void take_snapshot(struct recording *r, const struct wire_snapshot *s)
{
	uint32_t *slots = need(malloc(s->nslots * sizeof *slots + 1));
	struct hash h = { .array_length = s->array_length,
			  .class = r->class_of[s->context % IDS],
			  .nslots = s->nslots,
			  .zeros = s->zeros,
			  .slots = slots };

	memcpy(slots, s + 1, s->nslots * sizeof *slots);
	add_kind(r, h, CONTENT, s->content);
	h.slots = NULL;
	if (s->flags & WIRE_DEEP)
		add_kind(r, h, DEEP, s->deep);
	if (s->rec.type == WIRE_SNAPSHOT && s->flags & WIRE_FIXED)
		add_kind(r, h, FIXED, *wire_snapshot_fixed(s));
	for (uint32_t k = 0; k < s->nslots; k++) {
		h.position = k; /* wrong for more than WIRE_SLOTS, which are not of interest */
		add_kind(r, h, SLOT, slots[k]);
	}
}

static void take_use(struct recording *r, const struct wire_use *u)
{
	struct hash h = { .position = u->position,
			  .array_length = u->array_length,
			  .class = r->class_of[u->context % IDS] };

	add_kind(r, h, CONTENT, u->content);
	add_kind(r, h, VALUE, u->value);
	if (u->flags & WIRE_DEEP)
		add_kind(r, h, DEEP, *wire_use_deep(u));
}

static void take_window(struct recording *r, const struct wire_window *w)
{
	const struct wire_window_content *c = (const struct wire_window_content *)(w + 1);

	for (uint32_t i = 0; i < w->ncontents; i++)
		if (c[i].key)
			add(r, &(struct hash){ .kind = WINDOW,
					       .hash = c[i].key,
					       .class = (uint16_t)c[i].class_id });
	if (w->own)
		add(r, &(struct hash){ .kind = WINDOW, .hash = w->own });
}

static int take(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct recording *r = arg;
	const struct wire_context *c = (const struct wire_context *)rec;

	(void)jvm;
	(void)time_ns;
	(void)len;
	switch (atomic_load(&rec->type)) {
	case WIRE_CLASS:
		take_class(r, (const struct wire_class *)rec);
		break;
	case WIRE_CONTEXT:
		r->class_of[c->id % IDS] = (uint16_t)c->class_id;
		break;
	case WIRE_SNAPSHOT:
	case WIRE_ALIVE:
		take_snapshot(r, (const struct wire_snapshot *)rec);
		break;
	case WIRE_USE:
		take_use(r, (const struct wire_use *)rec);
		break;
	case WIRE_WINDOW:
		take_window(r, (const struct wire_window *)rec);
		break;
	default:
		break;
	}
	return 0;
}

static struct recording *read_file(const char *path)
{
	struct recording *r = need(calloc(1, sizeof *r));
	struct file_header header;
	uint64_t end;

	if (datafile_read(path, &header, &end, take, r) < 0 || !r->n) {
		fprintf(stderr, "attacker: %s has no hashes\n", path);
		exit(2);
	}
	return r;
}

/* ---- hashes of guesses --------------------------------------------------------------------- */

/* NULL: without a key. */
static uint64_t keyed(const struct wire_secret *key, uint64_t value, uint64_t place)
{
	return key ? wire_secret_hash(key, value, place) : value;
}

/* The hash of a value at a position. */
static uint64_t hash_of(const struct wire_secret *key, uint64_t value, const struct class *c,
			uint64_t position, uint64_t size)
{
	return key ? wire_secret_hash(key, value, c->salt ^ (position << 8 | size))
		   : XXH3_64bits(&value, sizeof value);
}

/* What is hashed for an element of an array: with a key, small ones count with their neighbours. */
static uint64_t element(const struct wire_secret *key, const unsigned char *bytes, size_t len,
			uint32_t size, size_t i)
{
	size_t at = i * size, n = size;
	uint64_t value = 0;

	if (key && size <= 2) {
		n = len < 8 ? len : 8;
		at = at / 8 * 8 + n > len ? len - n : at / 8 * 8;
	}
	memcpy(&value, bytes + at, n);
	return value;
}

/* Reads each element of small arrays for itself. */
static void guess_elements(const struct recording *r, const struct wire_secret *key)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct hash *h = &r->list[i];
		const struct class *c = &r->classes[h->class];
		char text[WIRE_SLOTS + 1] = "";
		uint32_t found = 0;
		if (!h->slots || c->element_size > 2 || !c->element_size || h->nslots < 6 ||
		    h->nslots != h->array_length || (i && h->hash == r->list[i - 1].hash))
			continue;
		for (uint32_t k = 0; k < h->nslots; k++)
			for (uint64_t v = ' '; v < 127 && found == k; v++)
				if ((uint32_t)hash_of(key, v, c, k, c->element_size) == h->slots[k])
					text[found++] = (char)v;
		if (found == h->nslots)
			printf("elements: %s\n", text);
	}
}

static void guess_array(const struct recording *r, const struct wire_secret *key, const char *word,
			const unsigned char *bytes, size_t len, uint32_t size)
{
	uint64_t inner = XXH3_64bits(bytes, len);

	for (size_t i = 0; i < r->n; i++) {
		const struct hash *h = &r->list[i];
		const struct class *c = &r->classes[h->class];
		uint64_t value = 0;
		if (c->element_size != size || h->array_length != len / size)
			continue;
		if (h->kind <= DEEP && h->hash == keyed(key, inner, c->salt))
			printf("word: %s by %s\n", word, names[h->kind]);
		if (h->kind == VALUE || h->kind == SLOT)
			value = hash_of(key, element(key, bytes, len, size, h->position), c,
					h->position, size);
		if (h->kind == VALUE && h->hash == value)
			printf("word: %s by value\n", word);
		if (h->kind == SLOT && h->position == 0 && h->hash == (uint32_t)value)
			printf("word: %s by slot\n", word);
	}
}

static void guess_word(const struct recording *r, const struct wire_secret *key, const char *word)
{
	unsigned char wide[2 * LARGEST] = { 0 };
	size_t n = strnlen(word, LARGEST);

	for (size_t i = 0; i < n; i++)
		wide[2 * i] = (unsigned char)word[i];
	guess_array(r, key, word, (const unsigned char *)word, n, 1);
	guess_array(r, key, word, wide, 2 * n, 2);
}

static void guess_int(const struct recording *r, const struct wire_secret *key, uint32_t number)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct hash *h = &r->list[i];
		const struct class *c = &r->classes[h->class];
		uint64_t size = c->element_size		   ? c->element_size
				: h->position < WIRE_SLOTS ? c->field_size[h->position]
							   : 0;
		if (size != 4 || (h->kind != SLOT && h->kind != VALUE))
			continue;
		uint64_t hash = hash_of(key, number, c, h->position, 4);
		if (h->hash == (h->kind == SLOT ? (uint32_t)hash : hash))
			printf("int: %u by %s in %s\n", number, names[h->kind], c->signature);
	}
}

/* ---- what it is asked for ------------------------------------------------------------------ */

static int guess(int argc, char **argv)
{
	struct wire_secret key = { { 0, 0 } };
	const struct wire_secret *keys[] = { NULL, &key };
	uint64_t ints = 0;
	size_t first = 0;
	int option;

	while ((option = getopt(argc, argv, "k:n:")) != -1) {
		if (option == 'n')
			ints = strtoull(optarg, NULL, 0);
		else if (option == 'k' &&
			 sscanf(optarg, "%16" SCNx64 "%16" SCNx64, &key.key[0], &key.key[1]) == 2)
			first = 1;
		else
			return 2;
	}
	if (optind >= argc)
		return 2;
	const struct recording *r = read_file(argv[optind]);
	for (size_t i = first; i < 2; i++) {
		guess_elements(r, keys[i]);
		guess_ints(r, keys[i], ints);
		for (int k = optind + 1; k < argc; k++) {
			guess_word(r, keys[i], argv[k]);
			if (argv[k][strspn(argv[k], "0123456789")] == '\0')
				guess_int(r, keys[i], (uint32_t)strtoul(argv[k], NULL, 10));
		}
	}
	return 0;
}

static bool is_chars(const struct recording *r, const struct hash *h, uint32_t length)
{
	const char *signature = r->classes[h->class].signature;

	return h->slots && h->nslots == length && h->array_length == length && signature &&
	       strcmp(signature, "[C") == 0;
}

static int alphabet(const char *file, uint32_t known, uint32_t other)
{
	struct recording *r = read_file(file);
	uint64_t slots = 0, read = 0;
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (is_chars(r, &r->list[i], known) || is_chars(r, &r->list[i], other))
			r->list[n++] = r->list[i];
	r->n = n < MOST_ARRAYS ? n : MOST_ARRAYS; /* each is compared with each */
	for (size_t i = 0; i < r->n; i++) {
		if (!is_chars(r, &r->list[i], other))
			continue;
		for (uint32_t k = 0; k < known && k < other; k++) {
			bool found = false;
			for (size_t j = 0; j < r->n && !found; j++)
				found = is_chars(r, &r->list[j], known) &&
					r->list[j].slots[k] == r->list[i].slots[k];
			read += found;
			slots++;
		}
	}
	if (!slots)
		return 2;
	printf("%" PRIu64 "\n", read * 100 / slots);
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct hash *x = a, *y = b;

	return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1)
				  : (x->hash > y->hash) - (x->hash < y->hash);
}

static int common(const char *first, const char *second)
{
	struct recording *r = read_file(first), *s = read_file(second);
	uint64_t all[KINDS] = { 0 }, both[KINDS] = { 0 };

	qsort(s->list, s->n, sizeof *s->list, compare);
	qsort(r->list, r->n, sizeof *r->list, compare);
	for (size_t i = 0; i < r->n; i++) {
		if (i && compare(&r->list[i], &r->list[i - 1]) == 0)
			continue;
		all[r->list[i].kind]++;
		both[r->list[i].kind] +=
			bsearch(&r->list[i], s->list, s->n, sizeof *s->list, compare) != NULL;
	}
	for (int kind = 0; kind < KINDS; kind++)
		printf("%s %" PRIu64 " %" PRIu64 "\n", names[kind], all[kind], both[kind]);
	return 0;
}

static int zeros(const char *file, const char *signature, uint32_t length)
{
	const struct recording *r = read_file(file);

	for (size_t i = 0; i < r->n; i++) {
		const struct hash *h = &r->list[i];
		const char *own = r->classes[h->class].signature;
		if (h->slots && h->array_length == length && own && strcmp(own, signature) == 0)
			printf("%d of %u\n", __builtin_popcount(h->zeros), h->nslots);
	}
	return 0;
}

static int hashes(const char *file)
{
	const struct recording *r = read_file(file);

	for (size_t i = 0; i < r->n; i++)
		if (r->list[i].kind != SLOT)
			printf("%" PRIu64 "\n%016" PRIx64 "\n", r->list[i].hash, r->list[i].hash);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "guess") == 0)
		return guess(argc - 1, argv + 1);
	if (argc == 5 && strcmp(argv[1], "alphabet") == 0)
		return alphabet(argv[2], (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]));
	if (argc == 4 && strcmp(argv[1], "common") == 0)
		return common(argv[2], argv[3]);
	if (argc == 5 && strcmp(argv[1], "zeros") == 0)
		return zeros(argv[2], argv[3], (uint32_t)atoi(argv[4]));
	if (argc == 3 && strcmp(argv[1], "hashes") == 0)
		return hashes(argv[2]);
	return 2;
}
