/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump.c - `ojx dump`: the records of a recording as text, a line each. lib/file/record_text.c
 * writes the lines. A damaged file is printed as far as it can be read.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "file/datafile_read.h"
#include "file/record_table.h"
#include "file/record_text.h"
#include "load.h"
#include "options.h"
#include "out_of_memory.h"
#include "output.h"
#include "say.h"

struct dump {
	const char *path, *name; /* the file, and what messages call it */
	const char *types;	 /* of --type; NULL: all */
	bool selected[RECORD_TYPES_MAX];
	bool chunks; /* headers are printed, too */
	bool utf8;
	bool damaged;
};

/* ---- options ----------------------------------------------------------------------------- */

static void put_types(FILE *out, bool with_help)
{
	for (size_t i = 0; i < record_ntypes; i++)
		if (with_help)
			fprintf(out, "\n- %s: %s", record_types[i].name, record_types[i].help);
		else
			fprintf(out, "%s%s", i ? ", " : "", record_types[i].name);
}

static int select_types(struct dump *d)
{
	for (const char *word = d->types, *next; word; word = next) {
		size_t len = strcspn(word, ",");
		const struct record_type *type = record_find_name(word, len);
		next = word[len] ? word + len + 1 : NULL;
		if (type) {
			d->selected[type - record_types] = true;
			continue;
		}
		char *unknown = strndup(word, len);
		options_say_unknown("type", unknown ? unknown : word, put_types);
		free(unknown);
		return OPTIONS_ERROR;
	}
	return 0;
}

/* 0, OPTIONS_ERROR or OPTIONS_HELP. */
static int parse(struct dump *d, int argc, char **argv)
{
	char *types = options_list(
		"print only records of these types, separated by commas:", put_types, true);
	const struct option_row rows[] = {
		OPT_STRING('i', "input", "FILE", &d->path,
			   "read FILE (default " OJX_DATA "; '-': standard input)"),
		OPT_STRING('t', "type", "NAMES", &d->types, types ? types : ""),
		OPT_BOOL(
			0, "chunks", &d->chunks,
			"print the header and the chunks of the file, too: where they begin, their lengths, and whether their checksums are right"),
		OPT_END,
	};
	const struct option_command cmd = {
		.name = "dump",
		.synopsis = "[OPTION]... [FILE]",
		.about =
			"Prints the records of a recording (default " OJX_DATA
			"; '-': standard input) as text, a line each: for those who work on ojx, or want to know what a recording has.",
		.rows = rows,
		.notes = "\nA record of an unknown type or a wrong length is printed as 'raw'.\n",
		.options_anywhere = true,
	};
	int first = options_parse(&cmd, argc, argv);

	free(types);
	if (first < 0)
		return first;
	if (argc - first > 1)
		return say_error("dump takes one FILE, not '%s' too (see 'ojx dump --help')",
				 argv[first + 1]);
	if (first < argc)
		d->path = argv[first];
	d->name = strcmp(d->path, "-") == 0 ? "standard input" : d->path;
	return select_types(d);
}

/* ---- printing ---------------------------------------------------------------------------- */

static int put_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		      void *arg)
{
	const struct dump *d = arg;
	const struct record_type *type =
		record_find_type(atomic_load_explicit(&rec->type, memory_order_relaxed));

	(void)time_ns;
	if (!d->types || (type && d->selected[type - record_types]))
		record_put(stdout, jvm, rec, len, d->utf8);
	return 0;
}

static void put_header(const struct file_header *h)
{
	char machine[FILE_MACHINE];

	wire_file_machine(h, machine);
	printf("header version=%" PRIu32 " wire_version=%" PRIu32 " start_unix_ns=%" PRIu64
	       " machine=%s\n",
	       h->version, h->wire_version, h->start_unix_ns, machine);
}

static void put_chunk(const struct file_chunk *c, uint64_t offset, bool right)
{
	printf("chunk jvm=%" PRIu32 " time_ns=%" PRIu64 " offset=%" PRIu64 " len=%" PRIu32
	       " unpacked=%" PRIu32 " checksum=%s\n",
	       c->jvm, c->time_ns, offset, c->len, c->unpacked, right ? "right" : "wrong");
}

/* Says where a file is damaged. Returns -1. */
static int say_damaged(struct dump *d, uint64_t offset, const char *what)
{
	d->damaged = true;
	return say_error("'%s' is damaged: %s at byte %" PRIu64, d->name, what, offset);
}

/* Says what is missing at the end of a file that was cut short. */
static void say_cut(const struct dump *d, const struct chunks *f, enum chunks_found found,
		    const struct file_chunk *c, size_t got)
{
	static const char cut[] = "is still being written or cut short";

	if (found == CHUNKS_NONE)
		say("'%s' %s: from byte %" PRIu64 " on there are only zeros", d->name, cut,
		    f->offset);
	else if (found == CHUNKS_DAMAGED)
		say("'%s' %s: its last chunk, at byte %" PRIu64 ", has a wrong checksum", d->name,
		    cut, f->offset);
	else if (c->len)
		say("'%s' %s: of the chunk at byte %" PRIu64 " %zu of %" PRIu32 " bytes are there",
		    d->name, cut, f->offset, got, c->len);
	else
		say("'%s' %s: of the chunk at byte %" PRIu64 " the header is not whole", d->name,
		    cut, f->offset);
}

/* Says why there is no whole chunk here. 0 at the end of the file, else -1; 1: go on behind it. */
static int judge(struct dump *d, struct chunks *f, enum chunks_found found,
		 const struct file_chunk *c, size_t got)
{
	int error = errno;

	if (found == CHUNKS_DAMAGED && d->chunks)
		put_chunk(c, f->offset, false);
	switch (chunks_judge(f, found, got)) {
	case DATAFILE_OK:
		return 0;
	case DATAFILE_TRUNCATED:
		say_cut(d, f, found, c, got);
		return 0;
	case DATAFILE_ERRNO:
		return load_say_unreadable(d->name, DATAFILE_ERRNO, error ? error : errno);
	default:
		say_damaged(d, f->offset,
			    found == CHUNKS_NONE ? "there is no chunk" : "a wrong checksum");
		/* what follows can be read where the length is right, and the file is no pipe */
		return found == CHUNKS_DAMAGED && d->chunks && lseek(f->fd, 0, SEEK_CUR) >= 0 ? 1
											      : -1;
	}
}

/* Prints the chunk that was just read. 0, or -1 after a message. */
static int put_records(struct dump *d, struct chunks *f, const struct file_chunk *c)
{
	if (d->chunks)
		put_chunk(c, f->offset, true);
	const unsigned char *records = chunks_unpack(f, c);
	if (records && chunks_deliver(c, records, put_record, d) == 0)
		return 0;
	if (errno == ENOMEM)
		out_of_memory();
	return say_damaged(d, f->offset,
			   records ? "records of wrong lengths in the chunk"
				   : "a chunk that cannot be unpacked");
}

/* 0, or -1 after a message. */
static int put_chunks(struct dump *d, struct chunks *f)
{
	int result = 1;

	while (result > 0 && !ferror(stdout)) {
		struct file_chunk c = { .len = 0 };
		size_t got;
		errno = 0;
		enum chunks_found found = chunks_read(f, &c, &got);
		if (found != CHUNKS_WHOLE)
			result = judge(d, f, found, &c, got);
		else if (put_records(d, f, &c) < 0)
			result = -1;
		chunks_skip(f, &c);
	}
	return result < 0 || d->damaged ? -1 : 0;
}

/* 0, or -1 after a message. */
static int put_file(struct dump *d, int fd)
{
	struct file_header header = { .version = 0 };
	ssize_t n = datafile_read_at(fd, &header, sizeof header, 0);
	enum datafile_result result =
		n < 0 ? DATAFILE_ERRNO : datafile_judge_header(&header, (size_t)n);
	struct chunks f = { .fd = fd, .offset = sizeof header };

	if (result == DATAFILE_TRUNCATED) {
		say("'%s' is cut short: its header is not whole", d->name);
		return 0;
	}
	if (result != DATAFILE_OK)
		return load_say_unreadable(d->name, result, errno);
	if (d->chunks)
		put_header(&header);
	int status = put_chunks(d, &f);
	chunks_release(&f);
	return status;
}

int cmd_dump(int argc, char **argv)
{
	struct dump d = { .path = OJX_DATA };
	int result = parse(&d, argc, argv);

	if (result < 0)
		return result == OPTIONS_HELP ? 0 : EXIT_USAGE;
	d.utf8 = terminal_style(stdout, COLOR_NEVER).utf8;
	bool own = strcmp(d.path, "-") != 0;
	int fd = own ? open(d.path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (fd < 0)
		return load_say_unreadable(d.name, DATAFILE_ERRNO, errno) < 0 ? EXIT_ERROR : 0;
	result = put_file(&d, fd);
	if (own)
		close(fd);
	return result < 0 ? EXIT_ERROR : 0;
}
