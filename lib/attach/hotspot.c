/* SPDX-License-Identifier: Apache-2.0 */
/* hotspot.c - see hotspot.h. */
#define _GNU_SOURCE
#include "attach/hotspot.h"
#include "record/credentials.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define TRIGGER ".attach_pid" /* the pid follows */

enum {
	TRIGGER_MODE = 0600,
	TRIGGER_OLD_S = 3600, /* no attaching takes so long */
	END_STEP_US = 10000,
	END_STEPS = 200,
};

static void fail(struct hotspot *h, const char *what, int error)
{
	h->state = HOTSPOT_FAILED;
	if (error)
		snprintf(h->answer, sizeof h->answer, "%s: %s", what, strerror(error));
	else
		snprintf(h->answer, sizeof h->answer, "%s", what);
}

/* ---- the JVM's socket -------------------------------------------------------------------- */

/* Opens the socket's file; -1 with errno: ENOENT: none, EPERM: another user's. */
static int open_socket(const struct target *t, int dir, const char *name)
{
	struct stat st;
	int fd = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_uid == t->uid)
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

static void socket_name(const struct target *t, char name[HOTSPOT_NAME])
{
	snprintf(name, HOTSPOT_NAME, ".java_pid%d", (int)t->inner_pid);
}

bool hotspot_listens(const struct target *t)
{
	char name[HOTSPOT_NAME];
	int dir = target_open_dir(t, HOTSPOT_TMP);

	if (dir < 0)
		return false;
	socket_name(t, name);
	int fd = open_socket(t, dir, name), saved = errno;
	if (fd >= 0)
		close(fd);
	close(dir);
	errno = saved;
	return fd >= 0;
}

/* Whether the process at the other end is the target. */
static bool is_target(const struct hotspot *h)
{
	struct ucred cred;
	socklen_t len = sizeof cred;

	return getsockopt(h->fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) == 0 &&
	       cred.pid == h->target->process.pid;
}

/* The version of the protocol, the name, and the arguments; each ends with NUL. 0: no room. */
static size_t put_request(const struct hotspot_request *r, char *to, size_t room)
{
	const char *part[] = { "1", r->name, r->argument[0], r->argument[1], r->argument[2] };
	size_t len = 0;

	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		size_t more = strlen(part[i] ? part[i] : "") + 1;
		if (more > room - len)
			return 0;
		memcpy(to + len, part[i] ? part[i] : "", more);
		len += more;
	}
	return len;
}

static int connect_to(int file)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	/* the path through /proc is short, and leads to what was checked */
	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", file);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	int saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

static void send_request(struct hotspot *h, int file, uint64_t now_ns)
{
	char request[4096];
	struct credentials old;
	size_t len = put_request(h->request, request, sizeof request);

	if (len == 0) {
		fail(h, "the paths are too long", 0);
		return;
	}
	if (credentials_become(&old, h->target->uid, h->target->gid) < 0) {
		fail(h, "cannot act as its user", errno);
		return;
	}
	h->fd = connect_to(file);
	credentials_return(&old);
	if (h->fd < 0 && errno == EAGAIN) /* others are waiting: later */
		return;
	if (h->fd < 0)
		fail(h, "cannot connect to its socket", errno);
	else if (!is_target(h))
		fail(h, "another process listens at its socket", 0);
	else if (send(h->fd, request, len, MSG_NOSIGNAL) != (ssize_t)len)
		fail(h, "cannot send it a request", errno);
	else
		h->state = HOTSPOT_ASKED;
	h->deadline_ns = now_ns + h->request->limit_ns;
}

/* ---- the trigger ------------------------------------------------------------------------- */

/*
 * Whether the JVM takes the file that is there: one of its user or root. Else sets errno. One that
 * is as ojx makes it was left when a JVM was slow, and is ours to remove; all can read jcmd's.
 */
static bool take_old_trigger(struct hotspot *h)
{
	struct stat st;
	/* nothing is opened: it can be a pipe or a device */
	bool found = fstatat(h->dir, h->trigger, &st, AT_SYMLINK_NOFOLLOW) == 0;

	if (found && S_ISREG(st.st_mode) && (st.st_uid == h->target->uid || st.st_uid == 0)) {
		h->has_trigger =
			st.st_uid == h->target->uid && (st.st_mode & ALLPERMS) == TRIGGER_MODE;
		return true;
	}
	if (found)
		errno = EEXIST;
	return false;
}

/* Makes the file, which is then ours to remove; an old one is as good. 0, or -1 with errno. */
static int make_trigger(struct hotspot *h)
{
	struct credentials old;
	int how = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

	if (credentials_become(&old, h->target->uid, h->target->gid) < 0)
		return -1;
	int fd = openat(h->dir, h->trigger, how, TRIGGER_MODE);
	h->has_trigger = fd >= 0;
	bool good = fd >= 0 || (errno == EEXIST && take_old_trigger(h));
	int saved = errno;
	credentials_return(&old);
	if (fd >= 0)
		close(fd);
	errno = saved;
	return good ? 0 : -1;
}

/*
 * Sends SIGQUIT to that very process, and only if it still handles it. 0, or -1 with errno: ESRCH
 * if it has ended, EBUSY if the signal would end it.
 */
static int send_signal(const struct target *t)
{
	struct target now;
	int pidfd = (int)syscall(SYS_pidfd_open, t->process.pid, 0);

	if (pidfd < 0 && errno != ENOSYS)
		return -1;
	target_read(&now, t->process.pid);
	bool same = now.process.start == t->process.start;
	bool handles = now.caught >> (SIGQUIT - 1) & 1 && now.dispatches >= t->dispatches &&
		       !now.libjvm == !t->libjvm && now.uid == t->uid;
	target_release(&now);
	int result = -1;
	if (!same || !handles)
		errno = same ? EBUSY : ESRCH;
	else if (pidfd >= 0)
		result = (int)syscall(SYS_pidfd_send_signal, pidfd, SIGQUIT, NULL, 0);
	else
		result = kill(t->process.pid, SIGQUIT);
	int saved = errno;
	if (pidfd >= 0)
		close(pidfd);
	errno = saved;
	return result;
}

static bool remove_trigger(struct hotspot *h)
{
	struct credentials old;

	if (!h->has_trigger)
		return true;
	if (credentials_become(&old, h->target->uid, h->target->gid) < 0)
		return false;
	h->has_trigger = unlinkat(h->dir, h->trigger, 0) < 0 && errno != ENOENT;
	credentials_return(&old);
	return !h->has_trigger;
}

/* Whether a file in `dir` is a trigger that an ojx left long ago. */
static bool is_old_trigger(const struct target *t, int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == t->uid && (st.st_mode & ALLPERMS) == TRIGGER_MODE && st.st_size == 0 &&
	       st.st_mtime < time(NULL) - TRIGGER_OLD_S;
}

/* Whether no process has that number, in the namespace of a /proc. */
static bool is_no_pid(int proc, const char *number)
{
	struct stat st;

	return fstatat(proc, number, &st, 0) < 0 && errno == ENOENT;
}

/* Removes old triggers whose JVMs have ended. As the target's user. */
static void sweep_triggers(const struct target *t, int tmp, int proc)
{
	int dir = openat(tmp, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = dir < 0 ? NULL : fdopendir(dir);

	if (!list && dir >= 0)
		close(dir);
	for (struct dirent *e; list && (e = readdir(list));) {
		const char *number = e->d_name + strlen(TRIGGER);
		if (strncmp(e->d_name, TRIGGER, strlen(TRIGGER)) == 0 && *number &&
		    number[strspn(number, "0123456789")] == '\0' && is_no_pid(proc, number) &&
		    is_old_trigger(t, tmp, e->d_name))
			unlinkat(tmp, e->d_name, 0);
	}
	if (list)
		closedir(list);
}

/* Removes what earlier ojx have left. */
static void sweep(const struct hotspot *h)
{
	const struct target *t = h->target;
	struct statfs fs;
	struct credentials old;
	char own[16];
	/* the numbers of processes there are those in the names of triggers */
	int proc = target_open_dir(t, "/proc");

	snprintf(own, sizeof own, "%d", (int)t->inner_pid);
	if (proc >= 0 && fstatfs(proc, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC &&
	    !is_no_pid(proc, own) && credentials_become(&old, t->uid, t->gid) == 0) {
		sweep_triggers(t, h->dir, proc);
		credentials_return(&old);
	}
	if (proc >= 0)
		close(proc);
}

static void trigger(struct hotspot *h)
{
	if (make_trigger(h) < 0) {
		int error = errno;
		fail(h, "cannot make a file in its " HOTSPOT_TMP, error);
		if (error == EEXIST)
			snprintf(h->answer, sizeof h->answer,
				 "'" HOTSPOT_TMP "/%s' is not a file of its user", h->trigger);
	} else if (send_signal(h->target) < 0) {
		fail(h,
		     errno == ESRCH   ? "it has ended"
		     : errno == EBUSY ? "it does not handle SIGQUIT any more"
				      : "cannot signal it",
		     errno == ESRCH || errno == EBUSY ? 0 : errno);
		remove_trigger(h);
	}
}

/* ---- steps ------------------------------------------------------------------------------- */

struct hotspot_request hotspot_load(const char *library, const char *options, uint64_t limit_ns)
{
	return (struct hotspot_request){
		.name = "load",
		.argument = { library, "true", options }, /* the path is absolute */
		/* whatever the status: JDK 21 and later always say 0 */
		.success = "return code: 0",
		.late = "it does not load the agent in time",
		.limit_ns = limit_ns,
	};
}

void hotspot_ask(struct hotspot *h, const struct target *t, const struct hotspot_request *request,
		 uint64_t now_ns, uint64_t limit_ns)
{
	*h = (struct hotspot){ .target = t,
			       .request = request,
			       .state = HOTSPOT_TRIGGERED,
			       .dir = target_open_dir(t, HOTSPOT_TMP),
			       .fd = -1,
			       .deadline_ns = now_ns + limit_ns };
	socket_name(t, h->socket);
	snprintf(h->trigger, sizeof h->trigger, TRIGGER "%d", (int)t->inner_pid);
	if (h->dir < 0) {
		if (errno == ESRCH)
			fail(h, "it has ended", 0);
		else
			fail(h, "cannot open its " HOTSPOT_TMP, errno);
		return;
	}
	sweep(h);
	int file = open_socket(t, h->dir, h->socket);
	if (file >= 0) {
		close(file);	     /* hotspot_step connects */
		take_old_trigger(h); /* of an ojx that was killed: the JVM does not need it */
	} else if (errno == ENOENT) {
		trigger(h);
	} else {
		fail(h, "its socket in " HOTSPOT_TMP " belongs to somebody else", 0);
	}
}

static void await_socket(struct hotspot *h, uint64_t now_ns)
{
	int file = open_socket(h->target, h->dir, h->socket);

	if (file >= 0) {
		send_request(h, file, now_ns);
		close(file);
	} else if (errno != ENOENT) {
		fail(h, "its socket in " HOTSPOT_TMP " belongs to somebody else", 0);
	}
	if (h->state != HOTSPOT_TRIGGERED)
		return;
	if (!jvmproc_runs(&h->target->process))
		fail(h, "it has ended", 0);
	else if (now_ns > h->deadline_ns)
		fail(h, "it does not answer (a pause, or too little processor time?)", 0);
}

/* Understands the complete answer: a line with the status, then text, the reason last. */
static void read_answer(struct hotspot *h)
{
	h->answer[h->got] = '\0';
	h->state = strstr(h->answer, h->request->success) ? HOTSPOT_DONE : HOTSPOT_FAILED;
	if (h->state == HOTSPOT_DONE && h->request->all_lines)
		return;
	char *end = h->answer + h->got;
	while (end > h->answer && end[-1] == '\n')
		*--end = '\0';
	char *text = strrchr(h->answer, '\n');
	text = text ? text + 1 : h->answer;
	memmove(h->answer, text, strlen(text) + 1);
	if (h->state == HOTSPOT_FAILED && !h->answer[0])
		fail(h, "it closed the connection without a word", 0);
}

static void await_answer(struct hotspot *h, uint64_t now_ns)
{
	ssize_t n = 1;

	while (n > 0 && h->got < sizeof h->answer - 1) {
		n = recv(h->fd, h->answer + h->got, sizeof h->answer - 1 - h->got, MSG_DONTWAIT);
		if (n > 0)
			h->got += (size_t)n;
	}
	if (n >= 0 || errno == ECONNRESET)
		read_answer(h);
	else if (errno != EAGAIN && errno != EINTR)
		fail(h, "cannot read its answer", errno);
	else if (now_ns > h->deadline_ns)
		fail(h, h->request->late, 0);
}

enum hotspot_state hotspot_step(struct hotspot *h, uint64_t now_ns)
{
	if (h->state == HOTSPOT_TRIGGERED)
		await_socket(h, now_ns);
	if (h->state == HOTSPOT_ASKED) {
		remove_trigger(h);
		await_answer(h, now_ns);
	}
	return h->state;
}

/* Whether SIGQUIT is not to come any more: the JVM listens, or has ended. */
static bool is_handled(const struct hotspot *h)
{
	return faccessat(h->dir, h->socket, F_OK, 0) == 0 || !jvmproc_runs(&h->target->process);
}

bool hotspot_release(struct hotspot *h)
{
	/* ojx ends in the middle: mostly the JVM needs an instant to listen */
	for (int i = 0; h->has_trigger && !is_handled(h) && i < END_STEPS; i++)
		usleep(END_STEP_US);
	bool removed = !h->has_trigger || (is_handled(h) && remove_trigger(h));

	if (h->fd >= 0)
		close(h->fd);
	if (h->dir >= 0)
		close(h->dir);
	*h = (struct hotspot){ .dir = -1, .fd = -1, .state = h->state };
	return removed;
}
