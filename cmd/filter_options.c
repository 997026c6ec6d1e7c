/* SPDX-License-Identifier: Apache-2.0 */
/* filter_options.c - see filter_options.h. */
#include "filter_options.h"

#include "report/findings_filter.h"
#include "say.h"

void filter_say_pairs(const struct filter *f, const struct waste_sum waste[WASTE_KINDS])
{
	const char *which = f->class_glob && f->site_glob ? "--class and --site do"
			    : f->class_glob		  ? "--class does"
							  : "--site does";
	bool some = false;

	for (int k = 0; k < WASTE_KINDS; k++)
		some = some || waste[k].count;
	if (some && findings_filter_ignores(f))
		say("%s not select wasteful accesses: only their code is known", which);
}
