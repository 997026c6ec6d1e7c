/* SPDX-License-Identifier: Apache-2.0 */
/* jvmkind.c - see jvmkind.h. Reads ELF files with libelf, which validates them. */
#define _GNU_SOURCE
#include "record/jvmkind.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
