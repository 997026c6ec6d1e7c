/* SPDX-License-Identifier: Apache-2.0 */
/* javaoption.c - see javaoption.h. */
#include "base/javaoption.h"

#include <stddef.h>
#include <string.h>

bool javaoption_takes_next(const char *option)
{
	static const char *const names[] = {
		"-cp",
		"-classpath",
		"--class-path",
		"-p",
		"--module-path",
		"--upgrade-module-path",
		"--add-modules",
		"--limit-modules",
		"--add-exports",
		"--add-opens",
		"--add-reads",
		"--patch-module",
		"--enable-native-access",
		"--illegal-native-access",
		"--source",
		"-d",
		"--describe-module",
		NULL,
	};

	for (size_t i = 0; names[i]; i++)
		if (strcmp(option, names[i]) == 0)
			return true;
	return false;
}
