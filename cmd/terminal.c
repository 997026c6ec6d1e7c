/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal.c - see terminal.h. The rules for pagers are those of git and perf, so that one setting
 * works for all.
 */
#define _GNU_SOURCE 1 /* pipe2 */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

enum { DEFAULT_WIDTH = 80, MAX_WIDTH = 10000 };

const char *const terminal_colors[] = { "auto", "always", "never", NULL };

/* ---- style ------------------------------------------------------------------------------- */

static unsigned width_of(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns && *columns) {
		char *end;
		long n = strtol(columns, &end, 10);
		if (*end == '\0' && n > 0 && n <= MAX_WIDTH)
			return (unsigned)n;
	}
	if (!isatty(fd))
		return 0;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return DEFAULT_WIDTH;
}

static bool wants_color(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

struct style terminal_style(FILE *out, enum terminal_color color)
{
	int fd = fileno(out);

	setlocale(LC_CTYPE, "");
	return (struct style){
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.color = color == COLOR_ALWAYS || (color == COLOR_AUTO && wants_color(fd)),
		.width = width_of(fd),
	};
}

/* ---- pager ------------------------------------------------------------------------------- */

/* The pager that the user chose; NULL: any; "": none. */
static const char *chosen_pager(void)
{
	const char *name = getenv("OJX_PAGER");

	if (!name)
		name = getenv("PAGER");
	return name && strcmp(name, "cat") == 0 ? "" : name;
}

bool terminal_shows_links(FILE *out, bool paged)
{
	const char *term = getenv("TERM"), *pager = chosen_pager();
	bool runs_pager = paged && (!pager || *pager);

	if (!isatty(fileno(out)) || !term || strcmp(term, "dumb") == 0 ||
	    strcmp(term, "linux") == 0)
		return false;
	return !runs_pager; /* many versions of less and others show them as garbage */
}

/* A small container may have neither a pager nor cat. */
static void copy(int in)
{
	char bytes[8192];
	ssize_t n;

	while ((n = read(in, bytes, sizeof bytes)) > 0)
		for (ssize_t done = 0, m; done < n; done += m)
			if ((m = write(STDOUT_FILENO, bytes + done, (size_t)(n - done))) < 0)
				return;
}

/* Runs in the child. Without a pager, the output is copied. */
__attribute__((noreturn)) static void exec_pager(const char *name, int in)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	dup2(in, STDIN_FILENO);
	setenv("LESS", "FRSX", 0);
	if (name) {
		execl("/bin/sh", "sh", "-c", name, (char *)NULL);
	} else {
		execlp("pager", "pager", (char *)NULL);
		execlp("less", "less", (char *)NULL);
	}
	execlp("cat", "cat", (char *)NULL);
	copy(STDIN_FILENO);
	_exit(0);
}

void pager_start(struct pager *p, bool wanted)
{
	const char *name = chosen_pager();
	int pipes[2];

	*p = (struct pager){ stdout, 0 };
	if (!wanted || !isatty(STDOUT_FILENO) || (name && !*name))
		return;
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return;
	FILE *out = fdopen(pipes[1], "w");
	pid_t pid = out ? fork() : -1;
	if (pid == 0)
		exec_pager(name, pipes[0]);
	close(pipes[0]);
	if (pid < 0) {
		if (out)
			fclose(out);
		else
			close(pipes[1]);
		return;
	}
	/* Ctrl-C is for the pager; if it exits, we get EPIPE */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	*p = (struct pager){ out, pid };
}

int pager_finish(struct pager *p)
{
	int status;

	if (!p->pid)
		return ferror(p->out) ? -1 : 0;
	int failed = fflush(p->out) != 0 || ferror(p->out) ? errno : 0;
	fclose(p->out);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	errno = failed;
	return failed && failed != EPIPE ? -1 : 0;
}

int pager_close(struct pager *p, int result)
{
	int error = errno;

	if (!ferror(p->out) && result < 0) {
		pager_finish(p);
		errno = error;
		return say_unwritten("standard output");
	}
	/* main reports errors of standard output */
	return p->pid && pager_finish(p) < 0 ? say_unwritten("the pager") : 0;
}
