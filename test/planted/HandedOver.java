// SPDX-License-Identifier: Apache-2.0

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Three in four objects are the same. They are made in one thread and used in another. */
final class HandedOver extends Planted<Item> {
    private final BlockingQueue<Item[]> queue = new ArrayBlockingQueue<>(16);

    HandedOver(String[] args) {
        super(args);
    }

    @Override
    Item make(long i) {
        long key = random(i, 4) == 0 ? i + 100 : 7;
        return new Item(key); // @site
    }

    @Override
    long use(Item item) {
        return item.use();
    }

    private void produce() throws InterruptedException {
        for (long i = 0; i < count; i += BATCH) {
            Item[] batch = new Item[BATCH];
            for (int k = 0; k < BATCH; k++) {
                batch[k] = make(i + k);
            }
            queue.put(batch);
        }
        queue.put(new Item[0]);
    }

    private void consume() throws InterruptedException {
        for (Item[] batch = queue.take(); batch.length > 0; batch = queue.take()) {
            for (Item item : batch) {
                sum = sum * 31 + use(item);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        HandedOver program = new HandedOver(args);
        Thread consumer = new Thread(() -> {
            try {
                program.consume();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        consumer.start();
        program.produce();
        consumer.join();
        program.finish();
    }
}
