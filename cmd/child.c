/* SPDX-License-Identifier: Apache-2.0 */
/* child.c - see child.h. */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memtext.h"
#include "base/outfile.h"
#include "base/utf8.h"

static const int forwarded[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT };
enum { NFORWARDED = sizeof forwarded / sizeof forwarded[0] };

static void handled_signals(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < NFORWARDED; i++)
		sigaddset(set, forwarded[i]);
	sigaddset(set, SIGCHLD);
}

int child_prepare(struct child *c)
{
	struct sigaction standard = { .sa_handler = SIG_DFL };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t set;

	*c = (struct child){ .signal_fd = -1 };
	handled_signals(&set);
	c->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (c->signal_fd < 0)
		return -1;
	/* with an inherited SIG_IGN we would not get the child's exit status */
	sigaction(SIGCHLD, &standard, &c->old_chld);
	/*
	 * a closed pipe and a file that is too large are errors of the output and must not end us
	 */
	sigaction(SIGPIPE, &ignore, &c->old_pipe);
	sigaction(SIGXFSZ, &ignore, &c->old_xfsz);
	return sigprocmask(SIG_BLOCK, &set, &c->old_mask);
}

/* Restores the signals with which ojx was started. */
static void restore_signals(const struct child *c)
{
	sigaction(SIGCHLD, &c->old_chld, NULL);
	sigaction(SIGPIPE, &c->old_pipe, NULL);
	sigaction(SIGXFSZ, &c->old_xfsz, NULL);
	sigprocmask(SIG_SETMASK, &c->old_mask, NULL);
}

void child_release(struct child *c)
{
	if (c->signal_fd < 0)
		return;
	if (c->keeps_hangup) /* one that comes too late ends nothing either */
		signal(SIGHUP, SIG_IGN);
	restore_signals(c);
	close(c->signal_fd);
	c->signal_fd = -1;
}

/* Runs in the child. The pipe carries the errno of a failure. */
static _Noreturn void become(const struct child *c, const struct child_command *command,
			     int pipe_fd)
{
	restore_signals(c);
	if ((!command->tool_options ||
	     setenv("JAVA_TOOL_OPTIONS", command->tool_options, 1) == 0) &&
	    (!command->stdout_to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0))
		execvp(command->argv[0], command->argv);
	int error = errno;
	while (write(pipe_fd, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* A pending signal that would end us and that arrived since child_prepare; 0: none. */
static int pending_signal(void)
{
	static const int deadly[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction action;
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
		if (sigismember(&pending, deadly[i]) && sigaction(deadly[i], NULL, &action) == 0 &&
		    action.sa_handler == SIG_DFL)
			return deadly[i];
	return 0;
}

/* Reads the errno that the child writes if it cannot run the command; 0 if it could. */
static int read_error(int fd)
{
	int error = 0;
	ssize_t n;

	do
		n = read(fd, &error, sizeof error);
	while (n < 0 && errno == EINTR);
	return n == sizeof error ? error : 0;
}

int child_start(struct child *c, const struct child_command *command, bool *exec_failed)
{
	int fds[2];

	*exec_failed = false;
	int signal = pending_signal();
	if (signal) {
		c->exited = true;
		c->status = signal; /* as waitpid reports a process that was killed by a signal */
		return 0;
	}
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	fflush(NULL);
	c->pid = fork();
	int error = errno;
	if (c->pid == 0)
		become(c, command, fds[1]);
	close(fds[1]);
	if (c->pid > 0) {
		error = read_error(fds[0]);
		*exec_failed = error != 0;
		if (error)
			waitpid(c->pid, NULL, 0);
	}
	close(fds[0]);
	if (error)
		c->pid = 0;
	errno = error;
	return error ? -1 : 0;
}

int child_fork(struct child *c)
{
	fflush(NULL);
	c->pid = fork();
	if (c->pid < 0) {
		c->pid = 0;
		return -1;
	}
	if (c->pid > 0)
		return 1;
	child_release(c);
	return 0;
}

/*
 * Whether somebody sent the signal to us alone (kill) or to the group; in the latter case the child
 * gets it twice, which cannot be distinguished. False for signals from the kernel, which sends a
 * terminal's Ctrl-C to the whole group.
 */
static bool is_for_us(const struct signalfd_siginfo *info)
{
	return info->ssi_code <= 0;
}

/*
 * Under nohup(1) a terminal that hangs up ends nothing; what is ignored is read here, too, since it
 * is blocked. SIGINT is heeded even so: a shell ignores it for a background job, and `kill -INT` is
 * how scripts end a recording.
 */
static bool is_hangup_ignored(void)
{
	struct sigaction now;

	return sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void child_step(struct child *c)
{
	struct signalfd_siginfo info;

	while (read(c->signal_fd, &info, sizeof info) == sizeof info) {
		int signal = (int)info.ssi_signo;
		if (signal == SIGHUP && c->keeps_hangup && is_for_us(&info)) {
			c->hangup = true;
			continue;
		}
		if (signal == SIGINT || signal == SIGQUIT || signal == SIGTERM ||
		    (signal == SIGHUP && !is_hangup_ignored()))
			c->last_signal = signal;
		if (signal != SIGCHLD && is_for_us(&info) && c->pid && !c->exited)
			kill(c->pid, signal);
	}
	if (c->pid && !c->exited && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
		c->exited = true;
}

bool child_take_hangup(struct child *c)
{
	bool came = c->hangup;

	c->hangup = false;
	return came;
}

void child_wait(struct child *c)
{
	struct pollfd fd = { .fd = c->signal_fd, .events = POLLIN };

	for (child_step(c); !c->exited; child_step(c))
		poll(&fd, 1, -1);
}

int child_exit_status(const struct child *c)
{
	const struct rlimit no_core = { 0, 0 };
	sigset_t set;

	if (WIFEXITED(c->status))
		return WEXITSTATUS(c->status);
	int signal = WTERMSIG(c->status);
	/* the limit does not apply to cores that are piped to a program */
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_DUMPABLE, 0);
	fflush(NULL);
	struct sigaction standard = { .sa_handler = SIG_DFL };
	sigaction(signal, &standard, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signal);
	return 128 + signal; /* the signal does not kill us: exit like a shell */
}

/* ---- the program's output ---------------------------------------------------------------- */

enum { TAIL = 64 << 10, PIECE = 64 << 10, TAB = 8 };

/* Opens a file without a name, which disappears with its last descriptor. */
static int open_nameless(const char *dir)
{
	char path[4096];

	int fd = open(dir, O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* the file system does not support O_TMPFILE */
	int n = snprintf(path, sizeof path, "%s/ojx-XXXXXX", dir);
	if (n < 0 || (size_t)n >= sizeof path)
		return -1;
	fd = mkostemp(path, O_APPEND | O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int spool_open(struct spool *s, int to)
{
	const char *dir = getenv("TMPDIR");

	*s = (struct spool){ .fd = -1, .to = to };
	if (dir && *dir)
		s->fd = open_nameless(dir);
	if (s->fd < 0)
		s->fd = open_nameless("/tmp");
	return s->fd < 0 ? -1 : 0;
}

void spool_close(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

int spool_drain(struct spool *s)
{
	static char piece[PIECE];
	ssize_t n;

	while (s->fd >= 0 && (n = pread(s->fd, piece, sizeof piece, s->done)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || outfile_write(s->to, piece, (size_t)n) < 0)
			return -1;
		s->done += n;
	}
	return 0;
}

/*
 * Cleans the text. A tab becomes blanks; of a line that overwrites itself (\r) only the last
 * version stays.
 */
static void put_clean(FILE *out, const char *text, size_t len, const struct style *style)
{
	const char *end = text + len;

	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		const char *stop = eol ? eol : end, *cr;
		if (stop > text && stop[-1] == '\r')
			stop--;
		while ((cr = memrchr(text, '\r', (size_t)(stop - text))))
			text = cr + 1;
		for (size_t column = 0; text < stop;) {
			const char *tab = memchr(text, '\t', (size_t)(stop - text));
			const char *to = tab ? tab : stop;
			utf8_put(out, text, (size_t)(to - text),
				 style->utf8 ? UTF8_TERMINAL : UTF8_ASCII);
			column += (size_t)(to - text);
			text = tab ? tab + 1 : stop;
			if (tab) {
				size_t blanks = TAB - column % TAB;
				fprintf(out, "%*s", (int)blanks, "");
				column += blanks;
			}
		}
		if (eol)
			putc('\n', out);
		text = eol ? eol + 1 : end;
	}
}

char *spool_tail(const struct spool *s, const struct style *style)
{
	struct stat st;
	char *raw = malloc(TAIL);
	struct memtext text;

	if (!raw || fstat(s->fd, &st) < 0) {
		free(raw);
		return NULL;
	}
	off_t from = st.st_size > TAIL ? st.st_size - TAIL : 0;
	ssize_t n = pread(s->fd, raw, TAIL, from);
	FILE *out = memtext_begin(&text);
	if (out) {
		/* skip the first line, which is incomplete */
		const char *begin = from && n > 0 ? memchr(raw, '\n', (size_t)n) : NULL;
		begin = begin ? begin + 1 : raw;
		if (n > 0)
			put_clean(out, begin, (size_t)(raw + n - begin), style);
	}
	free(raw);
	return memtext_end(&text);
}
