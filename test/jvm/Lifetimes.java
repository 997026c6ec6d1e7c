// SPDX-License-Identifier: Apache-2.0
// Objects of known lifetimes, for test/t_lifetime.sh. The program works in rounds, each of which ends with a full collection. Each
// round makes the same number of objects of each kind:
//   atOnce   dead before the next collection
//   twice    kept for exactly two collections
//   six      kept for exactly six
//   forever  made in the first round only, and kept until the end
//   bounded  a table of a fixed size, in which new objects take the place of the oldest
//   leak     kept for ever, more in each round
//   weak, soft, phantom   the only references to them
//   handed   made here, kept for two collections by another thread
// With a file STOP it goes on, ten rounds a second, until there is that file.
// Usage: Lifetimes ROUNDS OBJECTS [STOP]
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;

class Lifetimes {
	static final class Item {
		byte a;
		final long b, c, d, e, f;

		Item(long x)
		{
			b = x;
			c = x + 1;
			d = x + 2;
			e = x + 3;
			f = x + 4;
		}
	}

	static volatile Object sink;
	static final ArrayDeque<Object[]> two = new ArrayDeque<>(), six = new ArrayDeque<>(), other = new ArrayDeque<>();
	static final List<Object[]> leaked = new ArrayList<>();
	static final ReferenceQueue<Object> queue = new ReferenceQueue<>();
	static Object[] kept, table, references;
	static int next;

	static void atOnce(int n)
	{
		for (int i = 0; i < n; i++)
			sink = new Item(i);
		sink = null;
	}

	static Object[] twice(int n)
	{
		Object[] all = new Object[n];
		for (int i = 0; i < n; i++)
			all[i] = new Item(i);
		return all;
	}

	static Object[] sixTimes(int n)
	{
		Object[] all = new Object[n];
		for (int i = 0; i < n; i++)
			all[i] = new Item(i);
		return all;
	}

	static Object[] forever(int n)
	{
		Object[] all = new Object[n];
		for (int i = 0; i < n; i++)
			all[i] = new Item(i);
		return all;
	}

	static void bounded(int n)
	{
		for (int i = 0; i < n; i++) {
			table[next] = new Item(i);
			next = (next + 1) % table.length;
		}
	}

	static Object[] leak(int n)
	{
		Object[] all = new Object[n];
		for (int i = 0; i < n; i++)
			all[i] = new Item(i);
		return all;
	}

	static void weak(int n, int at)
	{
		for (int i = 0; i < n; i++)
			references[at + i] = new WeakReference<>(new Item(i));
	}

	static void soft(int n, int at)
	{
		for (int i = 0; i < n; i++)
			references[at + i] = new SoftReference<>(new Item(i));
	}

	static void phantom(int n, int at)
	{
		for (int i = 0; i < n; i++)
			references[at + i] = new PhantomReference<>(new Item(i), queue);
	}

	static Object[] handed(int n)
	{
		Object[] all = new Object[n];
		for (int i = 0; i < n; i++)
			all[i] = new Item(i);
		return all;
	}

	// What was kept for `rounds` collections is let go of.
	static void keep(ArrayDeque<Object[]> queue, Object[] more, int rounds)
	{
		queue.addLast(more);
		if (queue.size() > rounds)
			queue.removeFirst();
	}

	static void round(int n, ExecutorService thread) throws Exception
	{
		references = new Object[3 * n]; // those of the last round die
		while (queue.poll() != null)
			;
		atOnce(n);
		keep(two, twice(n), 2);
		keep(six, sixTimes(n), 6);
		bounded(n);
		leaked.add(leak(n));
		weak(n, 0);
		soft(n, n);
		phantom(n, 2 * n);
		Object[] all = handed(n);
		thread.submit(() -> keep(other, all, 2)).get();
	}

	public static void main(String[] args) throws Exception
	{
		int rounds = Integer.parseInt(args[0]), n = Integer.parseInt(args[1]);
		ExecutorService thread = Executors.newSingleThreadExecutor(r -> {
			Thread t = new Thread(r, "other");
			t.setDaemon(true);
			return t;
		});
		for (int i = 0; i < 8192; i++) // the first samples of a thread stand for many objects
			sink = new byte[1024];
		table = new Object[4 * n];
		kept = forever(4 * n);
		for (int i = 0; i < rounds || (args.length > 2 && !new java.io.File(args[2]).exists()); i++) {
			round(n, thread);
			System.gc();
			if (args.length > 2)
				Thread.sleep(100);
		}
		System.out.println(kept.length + leaked.size() + table.length > 0 ? "done" : "");
		System.out.flush();
	}
}
