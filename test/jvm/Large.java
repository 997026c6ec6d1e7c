// SPDX-License-Identifier: Apache-2.0
// Large.java - arrays larger than half a region of G1. `kept` makes 20 that stay, `dropped` ROUNDS
// that nobody needs any more when the next one is made. G1 takes such arrays back in young
// collections. Prints how many MB were in the old generation at most, which counts them.
//   Large ROUNDS
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayList;
import java.util.List;

public class Large {
	static final int SIZE = 3 << 18;
	static final List<byte[]> table = new ArrayList<>();
	static final Object[] recent = new Object[1024];
	static byte[] last;

	static void kept() {
		table.add(new byte[SIZE]);
	}

	static void dropped() {
		last = new byte[SIZE];
	}

	/** 8 MB that nobody needs: so young collections come. */
	static void small() {
		for (int i = 0; i < 8 * 1024; i++)
			recent[i % recent.length] = new byte[1008];
	}

	static long old() {
		for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans())
			if (pool.getName().contains("Old Gen"))
				return pool.getUsage().getUsed() >> 20;
		return -1;
	}

	public static void main(String[] args) {
		long most = 0;

		for (int i = 0; i < 20; i++)
			kept();
		for (int i = Integer.parseInt(args[0]); i > 0; i--) {
			dropped();
			small();
			most = Math.max(most, old());
		}
		System.out.println(most + " " + table.size());
	}
}
