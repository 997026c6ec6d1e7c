#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command in an emulated machine of another processor: a real kernel of Debian, by qemu-system without acceleration,
# with the file system of test/cross/root.sh (sets build and run).
#
#     test/cross/machine.sh ARCH FOLDER COMMAND...
#
# FOLDER becomes the machine's second disk: /disk. The command, words for a shell, runs there as root. What it prints
# comes out here, its status is this one's, and what it leaves in /disk/out comes into FOLDER/out.
#
#     OJX_CROSS_ROOT     the file system                              build-ARCH-root
#     OJX_CROSS_PAGES    16k: a kernel with pages of 16 KiB           that with 4 KiB
#     OJX_CROSS_CPU      as qemu names it; cortex-a72 lacks LSE       neoverse-n1
#     OJX_CROSS_SECONDS  after which the machine is turned off        3600
#     OJX_CROSS_MEMORY, OJX_CROSS_CPUS                                2048 MiB, 2
set -eu
here=$(cd "$(dirname "$0")" && pwd)
arch=$1
folder=$2
shift 2
[ "$arch" = aarch64 ] || { echo "machine.sh: no machine of $arch is described here" >&2; exit 2; }
root=${OJX_CROSS_ROOT:-$here/../../build-$arch-root}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kernel=
for f in "$root"/boot/vmlinuz-*; do
	case ${OJX_CROSS_PAGES:-4k}:$f in
	16k:*-16k | 4k:*-cloud-*) kernel=$f ;;
	esac
done
[ -n "$kernel" ] || { echo "machine.sh: no such kernel in $root/boot" >&2; exit 1; }
modules=$root/lib/modules/${kernel##*/vmlinuz-}/kernel

# The initramfs: what a disk needs, each module behind those that it depends on.
add_module()
{
	local file needs
	file=$(find "$modules" -name "$1.ko*" | head -n 1)
	[ -n "$file" ] && [ ! -e "$work/ram/modules/$1" ] || return 0 # built in, or there
	case $file in
	*.xz) xz -dc "$file" ;;
	*) cat "$file" ;;
	esac >"$work/ram/modules/$1"
	needs=$(tr '\0' '\n' <"$work/ram/modules/$1" | sed -n 's/^depends=//p' | head -n 1)
	for needs in ${needs//,/ }; do
		add_module "$(basename "$(find "$modules" -name "${needs//_/?}.ko*" | head -n 1)" | sed 's/\.ko.*//')"
	done
	echo "/modules/$1" >>"$work/ram/modules/list"
}
mkdir -p "$work/ram/modules" "$work/ram/root" "$work/ram/dev"
for m in virtio_mmio virtio_pci virtio_blk crc32c_generic ext4; do
	add_module $m
done
$arch-linux-gnu-gcc --sysroot="$root" -O2 -Wall -static -o "$work/ram/init" "$here/init.c"
python3 "$here/cpio.py" "$work/ram" | gzip -1 >"$work/ram.gz"

# The root disk is made once; changes to it are thrown away.
disk=$root.apt/disk
if [ ! -e "$disk" ] || [ -n "$(find "$root.apt/has-run" -newer "$disk")" ]; then
	mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/run" "$root/root" "$root/disk" "$root/dev/shm"
	echo "root:x:0:0::/root:/bin/bash" >"$root/etc/passwd"
	echo "root:x:0:" >"$root/etc/group"
	ln -sf /proc/mounts "$root/etc/mtab"
	ln -sf gawk "$root/usr/bin/awk" # what installing its package would do
	ln -sf bash "$root/bin/sh"
	rm -f "$disk"
	mke2fs -q -t ext4 -O ^has_journal -E root_owner=0:0 -d "$root" "$disk.new" 3G
	mv "$disk.new" "$disk"
fi
mkdir -p "$folder/out"
printf 'cd /disk\n%s\n' "$*" >"$folder/run"
mke2fs -q -t ext4 -O ^has_journal -d "$folder" "$work/disk" $(($(du -sm "$folder" | cut -f 1) * 3 / 2 + 512))M

cpu=${OJX_CROSS_CPU:-neoverse-n1}
timeout "${OJX_CROSS_SECONDS:-3600}" qemu-system-aarch64 -M virt -cpu "$cpu" -accel tcg,thread=multi -smp "${OJX_CROSS_CPUS:-2}" \
	-m "${OJX_CROSS_MEMORY:-2048}" -nographic -no-reboot -nodefaults -serial stdio -kernel "$kernel" -initrd "$work/ram.gz" \
	-append "console=ttyAMA0 quiet panic=-1" \
	-drive file="$disk",format=raw,if=none,id=root,snapshot=on -device virtio-blk-pci,drive=root \
	-drive file="$work/disk",format=raw,if=none,id=more -device virtio-blk-pci,drive=more </dev/null |
	sed -u 's,\r$,,' | tee "$work/said" | grep --line-buffered -v '^init: status ' || true
rm -rf "$folder/out"
debugfs -R "rdump /out $folder" "$work/disk" >/dev/null 2>&1
status=$(sed -n 's/^init: status //p' "$work/said" | tail -n 1)
[ -n "$status" ] || { echo "machine.sh: the machine did not end by itself" >&2; exit 124; }
exit "$status"
