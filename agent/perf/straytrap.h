/* SPDX-License-Identifier: Apache-2.0 */
/*
 * straytrap.h - traps of watches of whose cause the kernel knows nothing.
 *
 * On a virtual machine the hypervisor can lose the register that tells the cause of a debug
 * exception (DR6): KVM until Linux 6.13, now and then, if the machine is left at that moment. The
 * kernel of the machine then takes the trap of a watch for one of the program's own. It sends
 * SIGTRAP, by which a JVM dies at once. So as long as perf events are open, such a SIGTRAP is
 * dropped. It has another code than that of a breakpoint instruction or of a sender.
 */
#ifndef OJX_AGENT_STRAYTRAP_H
#define OJX_AGENT_STRAYTRAP_H

/* Begins to drop such signals; all others take effect as before. A second call does nothing. */
void straytrap_begin(void);

/* Once no event is open. */
void straytrap_end(void);

/* With -v, notes how many were dropped. */
void straytrap_tell(void);

#endif
