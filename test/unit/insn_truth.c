/* SPDX-License-Identifier: Apache-2.0 */
/* insn_truth.c - see insn_truth.h. */
#include "insn_truth.h"

#include <inttypes.h>
#include <string.h>

#include "insn/x86_64/insn_private.h"

#define LINE 256

/* The truth calls the program counter 16 and no register 17. */
static unsigned number(uint8_t reg)
{
	return reg == INSN_PC ? 16 : reg == INSN_NONE ? 17 : reg;
}

/* Formats a decoded instruction like a line of the truth. */
static void describe(char *to, size_t room, const struct insn *insn)
{
	size_t at = (size_t)snprintf(to, room, "%x", insn->written);

	if (insn->unknown)
		at += (size_t)snprintf(to + at, room - at, " ?");
	for (int i = 0; i < insn->accesses; i++) {
		const struct insn_access *a = &insn->access[i];
		bool negative = a->mem.disp < 0;
		uint64_t disp = negative ? -(uint64_t)a->mem.disp : (uint64_t)a->mem.disp;
		at += (size_t)snprintf(to + at, room - at, " %c %u %d %u %u %u %s%" PRIx64,
				       "?lsu"[a->kind], a -> size, a -> masked, number(a->mem.base),
				       number(a->mem.index), a -> mem.scale, negative ? "-" : "",
				       disp);
	}
}

static size_t bytes_of(const char *hex, uint8_t *to, size_t room)
{
	unsigned byte;
	size_t n = 0;

	while (n < room && sscanf(hex + 2 * n, "%2x", &byte) == 1 && hex[2 * n + 1])
		to[n++] = (uint8_t)byte;
	return n;
}

static void count(struct insn_tally *t, const struct insn *insn)
{
	t->instructions++;
	t->unknown += insn->unknown || !insn->len;
	t->none += insn->len && !insn->unknown && insn->accesses == 0;
	for (int i = 0; i < insn->accesses; i++) {
		t->loads += insn->access[i].kind == INSN_LOAD;
		t->stores += insn->access[i].kind == INSN_STORE;
		t->updates += insn->access[i].kind == INSN_UPDATE;
	}
}

/* Checks one line: bytes, then the truth about them. */
static void check(struct insn_tally *t, char *line, FILE *out)
{
	uint8_t code[INSN_X86_64_LONGEST];
	struct insn insn;
	char read[LINE] = "";

	line[strcspn(line, "#\n")] = '\0';
	char *truth = strchr(line, ' ');
	if (!truth)
		return;
	*truth++ = '\0';
	size_t end = strlen(truth), len = bytes_of(line, code, sizeof code);
	while (end && truth[end - 1] == ' ')
		truth[--end] = '\0';
	insn_x86_64_decode(code, len, &insn);
	count(t, &insn);
	describe(read, sizeof read, &insn);
	/* insn_truth does not contain the flow; it is tested elsewhere */
	if (insn.len == len && strcmp(read, truth) == 0)
		return;
	t->wrong++;
	fprintf(out, "%s: read as %u bytes, %s; in truth %zu bytes, %s\n", line, insn.len, read,
		len, truth);
}

struct insn_tally insn_truth_check(FILE *from, FILE *out)
{
	struct insn_tally t = { 0 };
	char line[LINE];

	while (fgets(line, sizeof line, from))
		check(&t, line, out);
	return t;
}
