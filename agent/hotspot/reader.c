/* SPDX-License-Identifier: Apache-2.0 */
/* reader.c - see reader.h. */
#include "hotspot/reader.h"

#include <string.h>

#include "core/memory.h"
#include "core/peek.h"

#define PAGE  4096u /* the smallest page size */
#define SETS  64u
#define WAYS  4u /* places for the pages of one set */
#define PAGES (SETS * WAYS)
#define WANTS 63u /* pages copied by one call, which itself costs as much as two or three */

struct page {
	unsigned char bytes[PAGE];
};

struct reader {
	bool in_place;
	bool kernel; /* the kernel can read */
	uintptr_t low, high;
	uint32_t left; /* pages that may still be copied */
	uintptr_t wanted[WANTS];
	uint32_t nwanted;
	unsigned char joined[READER_MAX];
	struct page *pages;
	/* of the pages there; 0: none. They lie apart, so that forgetting is cheap */
	uintptr_t numbers[PAGES];
	uint8_t oldest[SETS]; /* the way whose page goes next */
};

_Static_assert(WANTS + 1 <= PEEK_BATCH, "one call copies them");

struct reader *reader_new(bool in_place)
{
	struct reader *r = memory_new(1, sizeof *r);

	if (!r)
		return NULL;
	r->in_place = in_place;
	r->high = UINTPTR_MAX;
	r->kernel = peek_works();
	if (!in_place && r->kernel)
		r->pages = memory_new(PAGES, sizeof *r->pages);
	if (!in_place && !r->pages) {
		reader_free(r);
		return NULL;
	}
	return r;
}

void reader_free(struct reader *r)
{
	if (r)
		memory_free(r->pages);
	memory_free(r);
}

bool reader_in_place(const struct reader *r)
{
	return r->in_place;
}

void reader_limit(struct reader *r, uintptr_t low, uintptr_t high)
{
	r->low = low;
	r->high = high;
}

void reader_allow(struct reader *r, uint32_t pages)
{
	r->left = pages;
}

void reader_forget(struct reader *r)
{
	memset(r->numbers, 0, sizeof r->numbers);
	r->nwanted = 0;
}

/* [pause] */
static bool in_heap(const struct reader *r, uintptr_t at, size_t n)
{
	return at >= r->low && at <= r->high && n <= r->high - at;
}

void reader_want(struct reader *r, uintptr_t at)
{
	if (r->in_place)
		__builtin_prefetch((const void *)at);
	else if (in_heap(r, at, 1) && r->nwanted < WANTS)
		r->wanted[r->nwanted++] = at / PAGE;
}

void reader_want_class(struct reader *r, uintptr_t at, size_t n)
{
	for (uintptr_t number = at / PAGE; !r->in_place && number <= (at + n - 1) / PAGE; number++)
		if (r->nwanted < WANTS)
			r->wanted[r->nwanted++] = number;
}

/* [pause] The place of a page that is there; PAGES if it is not. */
static uint32_t place_of(const struct reader *r, uintptr_t number)
{
	uint32_t first = (uint32_t)(number % SETS) * WAYS;

	for (uint32_t way = 0; number && way < WAYS; way++)
		if (r->numbers[first + way] == number)
			return first + way;
	return PAGES;
}

/*
 * [pause] Adds a page to those that one call copies, unless it is there or takes the room of one of
 * them.
 */
static size_t add_page(struct reader *r, struct peek_piece *pieces, size_t n, uintptr_t number)
{
	uint32_t set = (uint32_t)(number % SETS), place = set * WAYS + r->oldest[set];
	unsigned char *to = r->pages[place].bytes;

	if (!number || place_of(r, number) < PAGES || !r->left)
		return n;
	for (size_t i = 0; i < n; i++)
		if (pieces[i].to == to || pieces[i].from == number * PAGE)
			return n;
	r->left--;
	r->oldest[set] = (uint8_t)((r->oldest[set] + 1u) % WAYS);
	r->numbers[place] = 0;
	pieces[n] = (struct peek_piece){ number * PAGE, to, PAGE, false };
	return n + 1;
}

/* [pause] Copies a page, and with it those that will be needed next. */
static void copy_pages(struct reader *r, uintptr_t number)
{
	struct peek_piece pieces[WANTS + 1];
	size_t n = add_page(r, pieces, 0, number);

	for (uint32_t i = 0; i < r->nwanted; i++)
		n = add_page(r, pieces, n, r->wanted[i]);
	r->nwanted = 0;
	peek_batch(pieces, n);
	for (size_t i = 0; i < n; i++)
		if (pieces[i].ok)
			r->numbers[(struct page *)pieces[i].to - r->pages] = pieces[i].from / PAGE;
}

/* [pause] A page's copy; NULL if it is missing, or too many were copied. */
static const struct page *page_get(struct reader *r, uintptr_t number)
{
	uint32_t place = place_of(r, number);

	if (place == PAGES) {
		copy_pages(r, number);
		place = place_of(r, number);
	}
	return place < PAGES ? &r->pages[place] : NULL;
}

/* [pause] Bytes from copied pages, joined if they cross from one page to the next. */
static const unsigned char *read_pages(struct reader *r, uintptr_t at, size_t n)
{
	size_t first = PAGE - at % PAGE;
	const struct page *p = page_get(r, at / PAGE);

	if (!p || n <= first)
		return p ? p->bytes + at % PAGE : NULL;
	memcpy(r->joined, p->bytes + at % PAGE, first);
	p = page_get(r, at / PAGE + 1);
	if (!p)
		return NULL;
	memcpy(r->joined + first, p->bytes, n - first);
	return r->joined;
}

const unsigned char *reader_object(struct reader *r, uintptr_t at, size_t n)
{
	if (!in_heap(r, at, n))
		return NULL;
	return r->in_place ? (const unsigned char *)at : read_pages(r, at, n);
}

const unsigned char *reader_class(struct reader *r, uintptr_t at, size_t n, bool known)
{
	if (!r->in_place)
		return read_pages(r, at, n);
	if (known || !r->kernel)
		return (const unsigned char *)at;
	return peek(at, r->joined, n) ? r->joined : NULL;
}
