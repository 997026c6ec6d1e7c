/* SPDX-License-Identifier: Apache-2.0 */
/* clibrary.c - see clibrary.h. Reads ELF files with libelf, which validates them. */
#define _GNU_SOURCE
#include "record/clibrary.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEEPEST 4 /* scripts that run scripts: what Linux permits */

/* The dynamic linker that an ELF file names; false if there is none. */
static bool read_linker(Elf *elf, int fd, char linker[PATH_MAX])
{
	GElf_Phdr header;
	size_t n = 0;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &header); i++) {
		if (header.p_type != PT_INTERP || header.p_filesz >= PATH_MAX)
			continue;
		ssize_t len = pread(fd, linker, header.p_filesz, (off_t)header.p_offset);
		linker[len < 0 ? 0 : len] = '\0';
		return len > 0;
	}
	return false;
}

static bool is_linked_by_musl(int fd)
{
	char linker[PATH_MAX];
	bool musl = false;

	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && read_linker(elf, fd, linker))
		musl = strstr(linker, "/ld-musl-") != NULL;
	elf_end(elf);
	return musl;
}

/* The first word behind "#!", which it ends with '\0'; NULL if the file is no script. */
static char *script_program(int fd, char line[PATH_MAX])
{
	ssize_t n = pread(fd, line, PATH_MAX - 1, 0);

	line[n < 0 ? 0 : n] = '\0';
	if (strncmp(line, "#!", 2) != 0)
		return NULL;
	char *program = line + 2 + strspn(line + 2, " \t");
	program[strcspn(program, " \t\r\n")] = '\0';
	return program;
}

bool clibrary_is_musl(const char *program)
{
	char lines[DEEPEST][PATH_MAX];
	bool musl = false;

	for (int i = 0; program && i < DEEPEST; i++) {
		int fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd < 0)
			return false;
		musl = is_linked_by_musl(fd);
		program = musl ? NULL : script_program(fd, lines[i]);
		close(fd);
	}
	return musl;
}
