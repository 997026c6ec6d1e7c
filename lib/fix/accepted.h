/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accepted.h - findings that somebody has looked at and leaves as they are. A file has their keys,
 * so that reports and conditions are about the others:
 *
 *	# what these are
 *	format com.acme.Shop.load   # only where prices change
 *
 * A line is a key, as fix_put_key writes it, and then a reason, with or without '#'. In a class or
 * method, spaces, backslashes and what could steer a terminal are \xNN, each byte of them; so a key
 * is always two words.
 */
#ifndef OJX_ACCEPTED_H
#define OJX_ACCEPTED_H

#include "fix/fix.h"
#include "fix/other_findings.h"

struct accepted_key {
	char *text;
	char *reason; /* without '#'; "" */
	size_t line;  /* of the file, from 1 */
	bool found;   /* a finding has it */
};

struct accepted {
	struct accepted_key *key;
	size_t n, room;
};

enum { ACCEPTED_ERROR = 256 };

/*
 * Reads the keys of a file, and adds them. 0, or -1 with what is wrong in `error`: with the line if
 * it is one. Release with accepted_release in either case.
 */
int accepted_read(struct accepted *to, const char *path, char error[ACCEPTED_ERROR]);
void accepted_release(struct accepted *a);

/* Takes those fixes out that have one of the keys (`accepted` in struct fixes); those of others. */
void accepted_take_out(struct accepted *a, struct fixes *fixes);
void accepted_take_out_others(struct accepted *a, struct others *others);

/* The number of keys that no fix had; *first receives the first of them. */
size_t accepted_stale(const struct accepted *a, const struct accepted_key **first);

/*
 * Writes a file that accepts all fixes and others, also those that were taken out because of `a`,
 * which keep their reasons; the reasons of the rest are what they avoid and where. `others` and `a`
 * may be NULL. Returns the number of keys.
 */
size_t accepted_write(FILE *out, const struct fixes *fixes, const struct others *others,
		      const struct accepted *a);

#endif
