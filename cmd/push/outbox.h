/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outbox.h - profiles that wait to be sent: files in a folder, one folder for each receiver.
 *
 * A file has the time in its name, so the oldest comes first. Who sends a file has it locked, so
 * two processes never send the same. Only files with such names are sent or removed.
 */
#ifndef OJX_OUTBOX_H
#define OJX_OUTBOX_H

#include <stddef.h>
#include <stdint.h>

struct outbox {
	char *dir; /* of one receiver */
};

/*
 * Opens the folder `under`/URL, and makes it, for its owner alone. Release with outbox_release.
 * 0, or -1 with errno: ENAMETOOLONG if the address makes no name of a folder.
 */
int outbox_open(struct outbox *b, const char *under, const char *url);
void outbox_release(struct outbox *b);

/* The path for a new file, at the end of the line. Free it. */
char *outbox_new(const struct outbox *b);

struct outbox_list {
	char **path; /* the oldest first */
	uint64_t *size;
	size_t n;
	uint64_t bytes; /* of all */
};

/* What waits. 0, or -1 with errno. Release with outbox_list_release, also after an error. */
int outbox_list(const struct outbox *b, struct outbox_list *to);
void outbox_list_release(struct outbox_list *l);

/*
 * Locks a file of the list. A descriptor; or -1 with errno: EAGAIN if another process sends it,
 * ENOENT if it is gone. Closing the descriptor unlocks the file.
 */
int outbox_lock(const char *path);

/* Removes the oldest until at most `most` bytes wait. Returns how many were removed. */
size_t outbox_trim(const struct outbox *b, uint64_t most);

#endif
