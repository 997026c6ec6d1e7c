/* SPDX-License-Identifier: Apache-2.0 */
/*
 * g1_regions.h - G1's heap is regions of one size: what the VM's tables say of one.
 *
 * All of it is read through the kernel: a table that is wrong costs what is made of it, and not the
 * JVM.
 */
#ifndef OJX_G1_REGIONS_H
#define OJX_G1_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

struct vmstructs;

/* At VMInit, with G1. False if the VM's tables lack something, or make no sense. */
bool g1_regions_init(const struct vmstructs *vm);

/* [pause] Their size, bytes. */
uintptr_t g1_regions_size(void);

struct g1_region {
	uintptr_t bottom, top;
	uint32_t type;	   /* HotSpot's number: what the region is used for */
	uintptr_t type_at; /* where that is; it stays there as long as the JVM runs */
};

/* [pause] The region that `at` is in. False if it makes no sense. */
bool g1_regions_find(uintptr_t at, struct g1_region *r);

#endif
