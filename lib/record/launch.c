/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - see launch.h. */
#define _GNU_SOURCE

#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Reads ELF files with libelf, which validates them. */

/* Whether a dynamic section has DT_NEEDED `name`. */
static bool section_needs(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Dyn entry;

	if (!data)
		return false;
	for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		if (entry.d_tag != DT_NEEDED)
			continue;
		const char *needed = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
		if (needed && strcmp(needed, name) == 0)
			return true;
	}
	return false;
}

static bool elf_needs(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC &&
		    section_needs(elf, section, &header, name))
			return true;
	return false;
}

/* `path` is the resolved path of the launcher: JDK/bin/java. */
static bool has_libjvm_beside(const char *path)
{
	char libjvm[PATH_MAX];
	const char *slash = strrchr(path, '/');

	int n = snprintf(libjvm, sizeof libjvm, "%.*s/../lib/server/libjvm.so",
			 slash ? (int)(slash - path) : 1, slash ? path : ".");
	return n > 0 && (size_t)n < sizeof libjvm && access(libjvm, R_OK) == 0;
}

bool jvmkind_is_launcher(const char *path)
{
	char real[PATH_MAX];
	bool found = false;

	if (!realpath(path, real))
		return false;
	const char *slash = strrchr(real, '/');
	if (strcmp(slash ? slash + 1 : real, "java") != 0)
		return false;
	int fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		found = elf_needs(elf, "libjli.so") || has_libjvm_beside(real);
	elf_end(elf);
	close(fd);
	return found;
}

#define AGENT_FILE "libojx-agent.so"

_Static_assert(PATH_MAX == 4096, "launch_find_agent's `tried`");

/* ---- finding ----------------------------------------------------------------------------- */

/* 0 if `path` is an executable file, else -1 with errno. */
static int executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EACCES;
		return -1;
	}
	return access(path, X_OK);
}

char *launch_find(const char *file)
{
	const char *path = getenv("PATH");
	bool forbidden = false;

	if (strchr(file, '/'))
		return executable(file) < 0 ? NULL : strdup(file);
	if (!path)
		path = "/bin:/usr/bin"; /* the default of execvp */
	while (file[0]) {
		size_t len = strcspn(path, ":");
		char *candidate;
		if (asprintf(&candidate, "%.*s/%s", len ? (int)len : 1, len ? path : ".", file) < 0)
			return NULL;
		if (executable(candidate) == 0)
			return candidate;
		forbidden = forbidden || errno == EACCES;
		free(candidate);
		if (path[len] == '\0')
			break;
		path += len + 1;
	}
	errno = forbidden ? EACCES : ENOENT;
	return NULL;
}

char *launch_find_agent(char (*tried)[4096])
{
	static const char *const places[] = { "/" AGENT_FILE, "/../lib/ojx/" AGENT_FILE };
	char dir[PATH_MAX];

	tried[0][0] = tried[1][0] = '\0';
	ssize_t n = readlink("/proc/self/exe", dir, sizeof dir - 1);
	if (n < 0)
		return NULL;
	dir[n] = '\0';
	char *slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	for (int i = 0; i < 2; i++) {
		if ((size_t)snprintf(tried[i], PATH_MAX, "%s%s", dir, places[i]) >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return NULL;
		}
		char *real = realpath(tried[i], NULL);
		if (real && access(real, R_OK) == 0)
			return real;
		free(real);
	}
	return NULL;
}

/* ---- planning ---------------------------------------------------------------------------- */

/* Writes `option` at `out`, quoted if necessary; returns the end. Needs 5 bytes per byte. */
static char *quote(char *out, const char *option)
{
	if (!strpbrk(option, " \t\n\v\f\r'\""))
		return stpcpy(out, option);
	*out++ = '\'';
	for (; *option; option++) {
		if (*option == '\'')
			out = stpcpy(out, "'\"'\"'");
		else
			*out++ = *option;
	}
	return stpcpy(out, "'");
}

char *launch_append_option(const char *existing, const char *option)
{
	size_t len = existing ? strlen(existing) : 0;
	char *value = malloc(len + 5 * strlen(option) + 4);
	char *end = value;

	if (!value)
		return NULL;
	if (len) {
		end = stpcpy(end, existing);
		*end++ = ' ';
	}
	quote(end, option);
	return value;
}

/*
 * Adds the option to the value of JAVA_TOOL_OPTIONS or to the arguments. 0, or -1 if out of memory.
 */
static int add_option(struct launch *l, char *const *argv, const char *agent,
		      const char *socket_path)
{
	char **to = l->argv;

	if (agent && asprintf(&l->agent_option, "-agentpath:%s=%s", agent, socket_path) < 0) {
		l->agent_option = NULL;
		return -1;
	}
	for (size_t i = 0; argv[i]; i++) {
		*to++ = argv[i];
		if (i == 0 && l->how == LAUNCH_AGENTPATH)
			*to++ = l->agent_option;
	}
	if (l->how != LAUNCH_ENVIRONMENT)
		return 0;
	l->tool_options = launch_append_option(getenv("JAVA_TOOL_OPTIONS"), l->agent_option);
	return l->tool_options ? 0 : -1;
}

int launch_plan(struct launch *l, char *const *argv, const char *program, const char *agent,
		const char *socket_path, bool children)
{
	size_t argc = 0;

	*l = (struct launch){ .how = LAUNCH_ENVIRONMENT };
	if (agent && strchr(agent, '=')) {
		errno = EINVAL;
		return -1;
	}
	if (!agent)
		l->how = LAUNCH_WITHOUT;
	else if (!children && jvmkind_is_launcher(program))
		l->how = LAUNCH_AGENTPATH;
	while (argv[argc])
		argc++;
	l->argv = calloc(argc + 2, sizeof *l->argv);
	if (l->argv && add_option(l, argv, agent, socket_path) == 0)
		return 0;
	launch_release(l);
	errno = ENOMEM;
	return -1;
}

void launch_release(struct launch *l)
{
	free(l->argv);
	free(l->agent_option);
	free(l->tool_options);
	*l = (struct launch){ 0 };
}
