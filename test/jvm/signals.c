/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native half of Signals.java. If it is preloaded with OJX_TEST_URGENT in the environment, it
 * installs a handler for SIGURG before the JVM starts.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <jni.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 1024

static atomic_int sent;
static int taken[MOST], ntaken; /* descriptors that now belong to the program */
static struct stat file;

static void handler(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	if (info->si_code <= 0) /* by a process, not by the kernel */
		atomic_fetch_add(&sent, 1);
}

static void handle(int sig)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigemptyset(&action.sa_mask);
	sigaction(sig, &action, NULL);
}

__attribute__((constructor)) static void preloaded(void)
{
	if (getenv("OJX_TEST_URGENT"))
		handle(SIGURG);
}

JNIEXPORT void JNICALL Java_Signals_block(JNIEnv *jni, jclass class)
{
	sigset_t set;

	(void)jni;
	(void)class;
	sigfillset(&set);
	sigdelset(&set, SIGSEGV); /* the JVM's own */
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

JNIEXPORT jboolean JNICALL Java_Signals_isHandled(JNIEnv *jni, jclass class)
{
	struct sigaction now;

	(void)jni;
	(void)class;
	return sigaction(SIGURG, NULL, &now) == 0 && now.sa_handler != SIG_DFL &&
	       now.sa_sigaction != handler;
}

JNIEXPORT void JNICALL Java_Signals_handle(JNIEnv *jni, jclass class, jint sig)
{
	(void)jni;
	(void)class;
	handle(sig);
}

/* For programs that want no handlers but their own. Leaves those of the JVM. */
JNIEXPORT void JNICALL Java_Signals_reset(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	signal(SIGTRAP, SIG_DFL);
	signal(SIGURG, SIG_DFL);
	signal(SIGIO, SIG_DFL);
	signal(SIGPROF, SIG_DFL);
	for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
		signal(sig, SIG_DFL);
}

static int is_wanted(int dir, const char *name, jboolean sockets)
{
	char target[64] = "";

	return readlinkat(dir, name, target, sizeof target - 1) > 0 &&
	       (strcmp(target, "anon_inode:[perf_event]") == 0 ||
		(sockets &&
		 (strncmp(target, "socket:", 7) == 0 || strncmp(target, "/memfd:ojx", 10) == 0 ||
		  strcmp(target, "anon_inode:[eventfd]") == 0)));
}

/*
 * Puts a file of the program under the number of each perf event, or also of each other descriptor
 * that the agent may have. Returns their number.
 */
JNIEXPORT jint JNICALL Java_Signals_takeOver(JNIEnv *jni, jclass class, jboolean sockets)
{
	int fd = memfd_create("program", 0);
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	(void)jni;
	(void)class;
	if (fd < 0 || !dir || fstat(fd, &file) != 0)
		return -1;
	while ((entry = readdir(dir)) && ntaken < MOST)
		if (is_wanted(dirfd(dir), entry->d_name, sockets))
			taken[ntaken++] = atoi(entry->d_name);
	closedir(dir);
	for (int i = 0; i < ntaken; i++)
		dup2(fd, taken[i]);
	return ntaken;
}

/* How many of these are still the program's file, and still empty. */
JNIEXPORT jint JNICALL Java_Signals_stillThere(JNIEnv *jni, jclass class)
{
	struct stat now;
	int n = 0;

	(void)jni;
	(void)class;
	for (int i = 0; i < ntaken; i++)
		n += fstat(taken[i], &now) == 0 && now.st_dev == file.st_dev &&
		     now.st_ino == file.st_ino && now.st_size == 0;
	return n;
}

/*
 * Kills any caller of a system call that only a profiler makes, with its process; for the calling
 * thread, or all.
 */
JNIEXPORT jboolean JNICALL Java_Signals_filter(JNIEnv *jni, jclass class, jboolean all)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_create, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_settime, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { .len = sizeof filter / sizeof *filter, .filter = filter };

	(void)jni;
	(void)class;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, all ? SECCOMP_FILTER_FLAG_TSYNC : 0,
		       &program) == 0;
}

JNIEXPORT void JNICALL Java_Signals_crash(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	*(volatile int *)sizeof(int) = 1;
}

/* Sends itself what the kernel sends for a debug exception of which it does not know the cause. */
JNIEXPORT jint JNICALL Java_Signals_stray(JNIEnv *jni, jclass class)
{
	siginfo_t info = { .si_signo = SIGTRAP, .si_code = TRAP_BRKPT };

	(void)jni;
	(void)class;
	return (jint)syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGTRAP, &info);
}

JNIEXPORT jint JNICALL Java_Signals_send(JNIEnv *jni, jclass class, jint sig)
{
	(void)jni;
	(void)class;
	raise(sig);
	return atomic_load(&sent);
}
