/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - see output.h. */
#define _GNU_SOURCE 1 /* pipe2 */
#include "output.h"

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

#include "base/outfile.h"
#include "out_of_memory.h"
#include "render/renderers.h"
#include "say.h"

enum { DEFAULT_WIDTH = 80, MAX_WIDTH = 10000 };

const char *const terminal_colors[] = { "auto", "always", "never", NULL };

/* ---- style ------------------------------------------------------------------------------- */

static unsigned width_of(int fd)
{
	const char *given = getenv("COLUMNS");
	struct winsize size;

	if (given && *given) {
		char *end;
		long n = strtol(given, &end, 10);
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

/*
 * The pager that the user chose; NULL: any; "": none. The rules are those of git and perf, so that
 * one setting works for all.
 */
static const char *chosen_pager(void)
{
	const char *name = getenv("OJX_PAGER");

	if (!name)
		name = getenv("PAGER");
	return name && strcmp(name, "cat") == 0 ? "" : name;
}

/*
 * Whether links of OSC 8 can be written to `out`: a terminal that is neither "dumb" nor Linux's
 * console, and, if `paged`, a pager that passes them on as less does.
 */
static bool terminal_shows_links(FILE *out, bool paged)
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

struct pager {
	FILE *out; /* where to write */
	int pid;   /* 0: none, `out` is standard output */
};

/* The pager shows what it has got, and the message follows when the user has left it. */
static void leave_pager(void *arg)
{
	struct pager *p = arg;

	close(fileno(p->out));
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * If standard output is a terminal, starts the user's pager: OJX_PAGER, else PAGER, else `pager`,
 * else `less`; none if the setting is empty or "cat". If no pager can be started, `out` is standard
 * output.
 */
static void pager_start(struct pager *p, bool wanted)
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
	out_of_memory_before(leave_pager, p);
}

/*
 * Ends the output and waits for the pager. 0, or -1 with errno if not everything could be written;
 * it is not an error if the user has left the pager early.
 */
static int pager_finish(struct pager *p)
{
	int status;

	if (!p->pid)
		return ferror(p->out) ? -1 : 0;
	out_of_memory_forget();
	int failed = fflush(p->out) != 0 || ferror(p->out) ? errno : 0;
	fclose(p->out);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	errno = failed;
	return failed && failed != EPIPE ? -1 : 0;
}

/* The same after output with the given `result`. 0, or -1 after an error message. */
static int pager_close(struct pager *p, int result)
{
	int error = errno;

	if (result < 0 && error == ENOMEM)
		out_of_memory();
	if (!ferror(p->out) && result < 0) {
		pager_finish(p);
		errno = error;
		return say_unwritten("standard output");
	}
	/* main reports errors of standard output */
	return p->pid && pager_finish(p) < 0 ? say_unwritten("the pager") : 0;
}

/* ---- links to source lines ---------------------------------------------------------------- */

#define EDITOR_HELP                                                                       \
	"what links to source lines open: an address such as 'myed://{file}:{line}', or " \
	"(default " LINKS_EDITOR "):"

char *link_options_help(void)
{
	return options_list(EDITOR_HELP, links_put_editors, true);
}

int link_options_check(struct link_options *l)
{
	int when = options_choice("hyperlink", l->hyperlink, terminal_colors);

	if (when < 0)
		return -1;
	l->when = (enum terminal_color)when;
	l->form = links_form(l->editor);
	if (l->form)
		return 0;
	if (!strchr(l->editor, ':'))
		return options_say_unknown("editor", l->editor, links_put_editors);
	return say_error("--editor: '%s' is not an address with {file}, and perhaps {line} and "
			 "{host}, such as 'myed://{file}:{line}'",
			 l->editor);
}

/*
 * The links of a text that goes to `out`, through a pager if `paged`; NULL: it has none. Free with
 * links_free.
 */
static struct links *link_options_open(const struct link_options *l, FILE *out, bool paged,
				       const struct sources *sources)
{
	if (sources_count(sources) == 0 || l->when == COLOR_NEVER)
		return NULL;
	if (l->when == COLOR_AUTO && !terminal_shows_links(out, paged))
		return NULL;
	return links_new(sources, l->form);
}

/* ---- the output -------------------------------------------------------------------------- */

bool output_is_file(const char *path)
{
	return path && strcmp(path, "-") != 0;
}

int output_spares_terminal(const char *path, const char *format, const char *file)
{
	if (output_is_file(path) || !isatty(STDOUT_FILENO))
		return 0;
	return say_error("%s is not for a terminal: write it to a file, such as -o %s", format,
			 file);
}

/* `out`: what the reader sees, through a pager if `paged`. Free the links with links_free. */
static struct links *open_style(struct style *style, const struct output *o, FILE *out, bool paged)
{
	struct links *links = o->links ? link_options_open(o->links, out, paged, o->sources) : NULL;

	*style = terminal_style(out, o->ink);
	style->links = links_style(links);
	return links;
}

static void give_up(void *arg)
{
	outfile_give_up(arg);
}

static int write_file(const struct output *o, output_draw *draw, const void *what)
{
	struct outfile file;
	struct style style;

	if (outfile_open(&file, o->path, o->secret) < 0)
		return say_error("cannot create '%s': %s", o->path, strerror(errno));
	out_of_memory_before(give_up, &file);
	struct links *links = open_style(&style, o, file.out, false);
	int result = draw(file.out, &style, what);
	int error = errno;
	if (result < 0 && error == ENOMEM)
		out_of_memory();
	links_free(links);
	out_of_memory_forget();
	if (outfile_close(&file, result == 0) < 0 && result == 0) {
		result = -1;
		error = errno;
	}
	errno = error;
	return result < 0 ? say_unwritten(o->path) : 0;
}

static int write_stdout(const struct output *o, output_draw *draw, const void *what)
{
	struct style style;
	struct links *links = open_style(&style, o, stdout, o->paged);
	struct pager pager;

	pager_start(&pager, o->paged);
	int result = pager_close(&pager, draw(pager.out, &style, what));
	links_free(links);
	return result;
}

int output_write(const struct output *o, output_draw *draw, const void *what)
{
	return output_is_file(o->path) ? write_file(o, draw, what) : write_stdout(o, draw, what);
}

const char *output_format(const char *path, const char *const *formats, const char *command)
{
	const struct renderer *as = renderer_of_file(path);
	char names[128] = "";
	size_t len = 0;

	for (int i = 0; formats[i]; i++) {
		if (as && strcmp(as->name, formats[i]) == 0)
			return formats[i];
		if (len < sizeof names)
			len += (size_t)snprintf(names + len, sizeof names - len, "%s%s",
						i ? ", " : "", formats[i]);
	}
	say("-o '%s': 'ojx %s' has no such format: choose one by --format (%s)", path, command,
	    names);
	return NULL;
}
