// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Threads with names that allocate COUNT objects each. `alpha` and `beta` allocate at their own
 * sites. `left` and `right` have one calling context: the objects of `left` are all equal, those of
 * `right` all different. `user` uses what `maker` makes. With `virtual`, a virtual thread
 * allocates.
 *
 *     java Named COUNT [virtual]
 */
public final class Named {
	static final class Own {
		int a = 1, b = 2, c = 3;
	}

	static final class Other {
		int a = 1, b = 2, c = 3;
	}

	static final class Shared {
		final int a, b, c;

		Shared(int a) {
			this.a = a;
			b = a;
			c = a;
		}
	}

	static final class Handed {
		int a = 1, b = 2, c = 3;
	}

	static volatile Object sink;
	static volatile int sum;

	static void share(int count, boolean same) {
		for (int i = 0; i < count; i++)
			sink = new Shared(same ? 0 : i);
	}

	static void alpha(int count) {
		for (int i = 0; i < count; i++)
			sink = new Own();
	}

	static void beta(int count) {
		for (int i = 0; i < count; i++)
			sink = new Other();
	}

	static void make(ArrayBlockingQueue<Handed> queue, int count) throws InterruptedException {
		for (int i = 0; i < count; i++)
			queue.put(new Handed());
	}

	static void use(ArrayBlockingQueue<Handed> queue, int count) throws InterruptedException {
		for (int i = 0; i < count; i++) {
			Handed h = queue.take();
			sum += h.a + h.b + h.c;
		}
	}

	interface Task {
		void run() throws InterruptedException;
	}

	static Thread start(String name, Task task) {
		Thread t = new Thread(() -> {
			try {
				task.run();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}, name);
		t.start();
		return t;
	}

	/* Thread.startVirtualThread, which older compilers lack */
	static void virtual(Runnable task) throws Exception {
		((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
			.invoke(null, task)).join();
	}

	public static void main(String[] args) throws Exception {
		int count = Integer.parseInt(args[0]);
		if (args.length > 1) {
			virtual(() -> alpha(count));
			return;
		}
		ArrayBlockingQueue<Handed> queue = new ArrayBlockingQueue<>(64);
		Task share = () -> share(count, Thread.currentThread().getName().equals("left"));
		Thread[] all = {
			start("left", share),
			start("right", share),
			start("alpha", () -> alpha(count)),
			start("beta", () -> beta(count)),
			start("maker", () -> make(queue, count)),
			start("user", () -> use(queue, count)),
		};
		for (Thread t : all)
			t.join();
	}
}
