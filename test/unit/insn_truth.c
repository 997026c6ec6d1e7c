/* SPDX-License-Identifier: Apache-2.0 */
/* insn_truth.c - see insn_truth.h. */
#include "insn_truth.h"

#include <inttypes.h>
#include <string.h>

#include "insn/aarch64/insn_aarch64.h"
#include "insn/x86_64/insn_x86_64.h"

#define LINE 256

const struct insn_reading insn_x86_64_reading = { insn_x86_64_decode, 16, 17 };
const struct insn_reading insn_aarch64_reading = { insn_aarch64_decode, INSN_PC, INSN_NONE };

static unsigned number(const struct insn_reading *by, uint8_t reg)
{
	return reg == INSN_PC ? by->pc : reg == INSN_NONE ? by->none : reg;
}

/* Formats a decoded instruction like a line of the truth. */
static void describe(const struct insn_reading *by, char *to, size_t room, const struct insn *insn)
{
	size_t at = (size_t)snprintf(to, room, "%x", insn->written);

	if (insn->unknown)
		at += (size_t)snprintf(to + at, room - at, " ?");
	for (int i = 0; i < insn->accesses; i++) {
		const struct insn_access *a = &insn->access[i];
		bool negative = a->mem.disp < 0;
		uint64_t disp = negative ? -(uint64_t)a->mem.disp : (uint64_t)a->mem.disp;
		at += (size_t)snprintf(to + at, room - at, " %c %u %d %u %u %u %s%" PRIx64,
				       "?lsu"[a->kind], a -> size, a -> masked,
				       number(by, a->mem.base), number(by, a->mem.index),
				       a -> mem.scale, negative ? "-" : "", disp);
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
static void check(const struct insn_reading *by, struct insn_tally *t, char *line, FILE *out)
{
	uint8_t code[INSN_X86_64_LONGEST]; /* of all processors */
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
	by->decode(code, len, &insn);
	count(t, &insn);
	describe(by, read, sizeof read, &insn);
	/* insn_truth does not contain the flow; it is tested elsewhere */
	if (insn.len == len && strcmp(read, truth) == 0)
		return;
	t->wrong++;
	fprintf(out, "%s: read as %u bytes, %s; in truth %zu bytes, %s\n", line, insn.len, read,
		len, truth);
}

struct insn_tally insn_truth_check(const struct insn_reading *by, FILE *from, FILE *out)
{
	struct insn_tally t = { 0 };
	char line[LINE];

	while (fgets(line, sizeof line, from))
		check(by, &t, line, out);
	return t;
}
