/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deny_perf [--kill] [--readv | --rename] COMMAND... - runs a command for which perf_event_open
 * fails with EACCES, as it does for users of Debian and Ubuntu and in most containers. A seccomp
 * filter does it: children inherit it.
 *   --readv  process_vm_readv, which fails with EPERM, instead of perf_event_open
 *   --rename  renameat2, which fails with EINVAL, as its flags do on NFS
 *   --kill   the call does not fail but kills the process, as under systemd's SystemCallFilter
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int set_filter(unsigned number, unsigned action)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(filter) / sizeof(*filter), .filter = filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	bool kills = false, readv = false, renames = false;
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--kill") == 0)
			kills = true;
		else if (strcmp(argv[i], "--readv") == 0)
			readv = true;
		else if (strcmp(argv[i], "--rename") == 0)
			renames = true;
		else
			break;
	}
	if (i == argc || argv[i][0] == '-') {
		fprintf(stderr, "usage: deny_perf [--kill] [--readv | --rename] COMMAND...\n");
		return 2;
	}
	unsigned number = renames ? SYS_renameat2
			  : readv ? SYS_process_vm_readv
				  : SYS_perf_event_open;
	unsigned refuse = SECCOMP_RET_ERRNO | (renames ? EINVAL : readv ? EPERM : EACCES);
	if (set_filter(number, kills ? SECCOMP_RET_KILL_PROCESS : refuse) < 0) {
		fprintf(stderr, "deny_perf: cannot set a seccomp filter: %s\n", strerror(errno));
		return 125;
	}
	execvp(argv[i], argv + i);
	fprintf(stderr, "deny_perf: cannot run '%s': %s\n", argv[i], strerror(errno));
	return 127;
}
