/* SPDX-License-Identifier: Apache-2.0 */
/* browse_page.c - the file of a page that somebody who browses asks for: never one that exists. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "browse.h"

enum { MOST = 1000 /* pages in one folder */ };

/* Makes a new file ojx.html, ojx-2.html, ...; 0, or -1 with errno. */
static int make_file(char path[32])
{
	for (unsigned n = 1; n <= MOST; n++) {
		if (n == 1)
			memcpy(path, "ojx.html", sizeof "ojx.html");
		else
			snprintf(path, 32, "ojx-%u.html", n);
		int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return close(fd);
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

void browse_write_page(char *said, size_t room, int (*page)(void *arg, const char *path), void *arg)
{
	char path[32];

	if (make_file(path) < 0) {
		snprintf(said, room, "cannot create '%s': %s", path, strerror(errno));
	} else if (page(arg, path) < 0) {
		unlink(path);
		snprintf(said, room, "cannot write '%s'", path);
	} else {
		snprintf(said, room, "written to '%s': open it with a browser", path);
	}
}
