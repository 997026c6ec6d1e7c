/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finding_rule.h - what an analysis says to do about rows of its findings: a problem, a fix, and
 * the figure that tells how much there is to gain. fix/other_findings.h makes findings of rows with
 * equal rules in one method.
 */
#ifndef OJX_FINDING_RULE_H
#define OJX_FINDING_RULE_H

#include <stdbool.h>

struct finding_rule {
	const char *name;	   /* for keys and programs: "dead-store" */
	const char *problem, *fix; /* a sentence or two each */
	const char *figure; /* of the row: how much; it adds up over rows. NULL: nothing to gain */
	/* what stands around the amount: "stores ", " of all stored bytes in vain" */
	const char *before, *after;
	/*
	 * what a change gains is not known; otherwise it is likely. What the call alone decides is
	 * for replicas to say (fix/fix.h).
	 */
	bool possible;
	int at; /* the stack whose line is to be changed */
};

#endif
