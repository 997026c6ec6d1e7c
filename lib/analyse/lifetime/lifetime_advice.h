/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime_advice.h - what to do about the lifetimes of a line: one sentence on the problem and one
 * on a possible fix. The rules are a table; the first that matches is used.
 */
#ifndef OJX_LIFETIME_ADVICE_H
#define OJX_LIFETIME_ADVICE_H

#include "analyse/lifetime/lifetime.h"

struct lifetime_advice {
	const char *name; /* identifier for programs: "leak-suspect" */
	/* `gc`: the collector's name, as in struct file_jvm */
	bool (*match)(const struct lifetime_line *l, const char *gc);
	const char *problem, *fix;
};

/* NULL: there is nothing to say. */
const struct lifetime_advice *lifetime_advise(const struct lifetime_line *l, const char *gc);

#endif
