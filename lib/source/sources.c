/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.c - see sources.h. Adding an element collects the names of all its source files. Texts
 * are read when requested, and not kept.
 */
#define XXH_INLINE_ALL

#include "source/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zip.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "base/javaname.h"
#include "base/xmalloc.h"

#define KEY "JAVA_VERSION=\""

/* Reads the version from a file `release`. */
static bool read_version(FILE *in, char version[JDK_VERSION_MAX])
{
	char line[256];

	while (fgets(line, sizeof line, in)) {
		size_t len;
		if (strncmp(line, KEY, strlen(KEY)) != 0)
			continue;
		const char *value = line + strlen(KEY);
		len = strcspn(value, "\"\n");
		if (len == 0 || len >= JDK_VERSION_MAX)
			return false;
		memcpy(version, value, len);
		version[len] = '\0';
		return true;
	}
	return false;
}

static bool read_release(const char *folder, int len, const char *name,
			 char version[JDK_VERSION_MAX])
{
	char *path = xasprintf("%.*s%s", len, folder, name);
	bool found = false;
	FILE *in = fopen(path, "r");

	free(path);
	if (!in)
		return false;
	found = read_version(in, version);
	fclose(in);
	return found;
}

bool jdk_release_version(const char *archive, char version[JDK_VERSION_MAX])
{
	const char *slash = strrchr(archive, '/');
	int len = slash ? (int)(slash + 1 - archive) : 0;

	if (strcmp(archive + len, "src.zip") != 0)
		return false;
	return read_release(archive, len, "../release", version) ||
	       read_release(archive, len, "release", version);
}

bool jdk_release_is_of(const char *version, const char *vm_version)
{
	size_t len = strcspn(vm_version, "+-_ ");

	return strlen(version) == len && strncmp(version, vm_version, len) == 0;
}

enum {
	MAX_BYTES = 8 << 20, /* of a file */
	MAX_GUESSES = 16,    /* files of other directories that are tried for one class */
};

struct element {
	struct element *next;
	const char *path;
	zip_t *archive; /* NULL: a directory */
	bool left_out;
};

/* A source file. Files with the same name form a list, in the order of the path. */
struct entry {
	struct entry *next;
	const struct element *in;
	zip_uint64_t index; /* in the archive */
	char name[];	    /* relative to the element */
};

struct list {
	struct entry *first, *last;
};

struct sources {
	struct arena arena;
	struct element *elements, *last;
	size_t n;
	struct idmap by_name; /* hash of the file name: struct list */
};

static const char *bare_name(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static uint64_t hash_of(const char *bare)
{
	return XXH3_64bits(bare, strlen(bare));
}

/* Source file names that compilers for the JVM write into class files. */
static bool is_source(const char *name)
{
	static const char *const endings[] = { ".java", ".kt",	".scala", ".groovy",
					       ".clj",	".kts", NULL };
	const char *dot = strrchr(bare_name(name), '.');

	for (size_t i = 0; dot && endings[i]; i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

/* ---- collecting names -------------------------------------------------------------------- */

static void add_entry(struct sources *s, const struct element *in, const char *name,
		      zip_uint64_t index)
{
	uint64_t hash = hash_of(bare_name(name));
	struct list *list = idmap_get(&s->by_name, hash);
	size_t size = strlen(name) + 1;
	struct entry *e = xarena_alloc(&s->arena, sizeof *e + size);

	e->next = NULL;
	e->in = in;
	e->index = index;
	memcpy(e->name, name, size);
	if (list) {
		list->last->next = e;
		list->last = e;
		return;
	}
	list = xarena_alloc(&s->arena, sizeof *list);
	*list = (struct list){ e, e };
	xidmap_put(&s->by_name, hash, list);
}

static void add_archive(struct sources *s, const struct element *in)
{
	zip_int64_t n = zip_get_num_entries(in->archive, 0);

	for (zip_int64_t i = 0; i < n; i++) {
		const char *name = zip_get_name(in->archive, (zip_uint64_t)i, 0);
		if (name && is_source(name))
			add_entry(s, in, name, (zip_uint64_t)i);
	}
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Does not follow links, which may form circles; hidden directories contain no sources. */
static int add_folder(struct sources *s, const struct element *in)
{
	char *paths[] = { (char *)in->path, NULL };
	size_t skip = strlen(in->path);
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare_names);

	if (!tree)
		return -1;
	for (FTSENT *f; (f = fts_read(tree));) {
		if (f->fts_info == FTS_D && f->fts_level > 0 && f->fts_name[0] == '.')
			fts_set(tree, f, FTS_SKIP);
		if (f->fts_info != FTS_F || !is_source(f->fts_name))
			continue;
		const char *name = f->fts_path + skip;
		add_entry(s, in, name + strspn(name, "/"), 0);
	}
	fts_close(tree);
	return 0;
}

/* Opens an element that is not a directory. */
static zip_t *open_archive(const char *path)
{
	int error;
	zip_t *archive = zip_open(path, ZIP_RDONLY, &error);

	if (archive)
		return archive;
	if (error == ZIP_ER_MEMORY)
		errno = ENOMEM;
	else if (error == ZIP_ER_NOZIP || error == ZIP_ER_INCONS)
		errno = EINVAL;
	return NULL;
}

static int add_element(struct sources *s, const char *path)
{
	struct element *e = xarena_alloc(&s->arena, sizeof *e);
	struct stat st;

	*e = (struct element){ .path = path };
	if (stat(path, &st) < 0)
		return -1;
	if (!S_ISDIR(st.st_mode) && !(e->archive = open_archive(path)))
		return -1;
	if (s->last)
		s->last->next = e;
	else
		s->elements = e;
	s->last = e;
	s->n++;
	if (!e->archive)
		return add_folder(s, e);
	add_archive(s, e);
	return 0;
}

int sources_add(struct sources *s, const char *path, const char **bad)
{
	for (size_t len; *path; path += len + (path[len] == ':')) {
		len = strcspn(path, ":");
		if (len == 0)
			continue;
		*bad = xarena_text(&s->arena, path, len);
		if (add_element(s, *bad) < 0)
			return -1;
	}
	return 0;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Reads the rest of a file into `text`, which has room for it; returns the length, or -1. */
static ssize_t fill(const struct entry *e, int fd, zip_file_t *packed, char *text, size_t size)
{
	size_t len = 0;

	while (len < size) {
		zip_int64_t n = e->in->archive ? zip_fread(packed, text + len, size - len)
					       : read(fd, text + len, size - len);
		if (n < 0 && !e->in->archive && errno == EINTR)
			continue;
		if (n < 0) {
			errno = e->in->archive ? EIO : errno;
			return -1;
		}
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

static char *read_all(const struct entry *e, int fd, zip_file_t *packed, uint64_t size, size_t *len)
{
	if (size > MAX_BYTES) {
		errno = EFBIG;
		return NULL;
	}
	char *text = xmalloc((size_t)size + 1);
	ssize_t n = fill(e, fd, packed, text, (size_t)size);
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	*len = (size_t)n;
	return text;
}

static char *read_packed(const struct entry *e, size_t *len)
{
	zip_stat_t st;
	char *text = NULL;

	if (zip_stat_index(e->in->archive, e->index, 0, &st) < 0 || !(st.valid & ZIP_STAT_SIZE)) {
		errno = EIO;
		return NULL;
	}
	zip_file_t *packed = zip_fopen_index(e->in->archive, e->index, 0);
	if (!packed) {
		errno = EIO;
		return NULL;
	}
	text = read_all(e, -1, packed, st.size, len);
	zip_fclose(packed);
	return text;
}

static char *read_entry(const struct entry *e, size_t *len)
{
	struct stat st;
	char *text = NULL;

	if (e->in->archive)
		return read_packed(e, len);
	char *path = xasprintf("%s/%s", e->in->path, e->name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(path);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0)
		text = read_all(e, fd, NULL, (uint64_t)st.st_size, len);
	close(fd);
	return text;
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Whether a text declares that package, of `len` bytes; 0: declares no package. */
static bool declares(const char *text, const char *package, size_t len)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += strspn(line, " \t\r\n\f");
		if (strncmp(line, "package", 7) != 0 || !strchr(" \t", line[7]) || !line[7])
			continue;
		const char *name = line + 7 + strspn(line + 7, " \t");
		if (strcspn(name, " \t\r\n;/") == len && strncmp(name, package, len) == 0)
			return true;
		if (len == 0)
			return false;
	}
	return len == 0;
}

/* Whether the entry is in the directory of that package. */
static bool in_folder(const struct entry *e, const char *package, size_t len)
{
	const char *end = bare_name(e->name);

	if (len == 0)
		return true;
	if ((size_t)(end - e->name) < len + 1)
		return false;
	const char *begin = end - 1 - len;
	if (begin > e->name && begin[-1] != '/')
		return false;
	for (size_t i = 0; i < len; i++)
		if (begin[i] != (package[i] == '.' ? '/' : package[i]))
			return false;
	return true;
}

char *sources_read(const struct sources *s, const char *class_name, const char *file, size_t *len,
		   struct source_place *where)
{
	const struct list *list = idmap_get(&s->by_name, hash_of(file));
	size_t package = (size_t)(names_simple(class_name) - class_name);
	size_t guesses = 0;

	package -= package > 0; /* the dot */
	for (int expected = 1; list && expected >= 0; expected--) {
		for (const struct entry *e = list->first; e; e = e->next) {
			if (e->in->left_out ||
			    in_folder(e, class_name, package) != (expected == 1) ||
			    strcmp(bare_name(e->name), file) != 0)
				continue;
			if (!expected && guesses++ >= MAX_GUESSES)
				break;
			char *text = read_entry(e, len);
			if (text && declares(text, class_name, package)) {
				*where = (struct source_place){ e->in->path, e->name,
								e->in->archive != NULL };
				return text;
			}
			free(text);
		}
	}
	errno = ENOENT;
	return NULL;
}

/* ---- life ---------------------------------------------------------------------------------- */

struct sources *sources_new(void)
{
	return xcalloc(1, sizeof(struct sources));
}

void sources_free(struct sources *s)
{
	if (!s)
		return;
	for (struct element *e = s->elements; e; e = e->next)
		if (e->archive)
			zip_discard(e->archive);
	idmap_release(&s->by_name);
	arena_release(&s->arena);
	free(s);
}

size_t sources_count(const struct sources *s)
{
	return s->n;
}

static struct element *element_at(const struct sources *s, size_t i)
{
	struct element *e = s->elements;

	while (e && i-- > 0)
		e = e->next;
	return e;
}

const char *sources_element(const struct sources *s, size_t i)
{
	const struct element *e = element_at(s, i);

	return e ? e->path : NULL;
}

void sources_leave_out(struct sources *s, size_t i)
{
	struct element *e = element_at(s, i);

	if (e)
		e->left_out = true;
}
