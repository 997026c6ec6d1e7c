// SPDX-License-Identifier: Apache-2.0

import java.time.Duration;
import java.util.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;

/**
 * Keeps a Kafka broker busy, for test/broker.py: a producer that sends as fast as the broker answers, and a consumer. Every 100 ms it
 * prints the time of the monotonic clock in nanoseconds, how many records were acknowledged, and how many consumed. Ends with its
 * standard input. With RATE, it sends no more than so many records a second, so that several brokers have the same load. A broker may
 * restart.
 *
 *     java BrokerLoad HOST:PORT [RATE]
 */
public class BrokerLoad {
    static final AtomicLong acknowledged = new AtomicLong(), consumed = new AtomicLong();

    static Properties properties(String server) {
        Properties p = new Properties();
        p.put("bootstrap.servers", server);
        p.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        p.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        p.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        p.put("value.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        p.put("linger.ms", "0");
        p.put("batch.size", "4096"); // small, so that the broker has requests to serve
        p.put("buffer.memory", "1000000");
        p.put("group.id", "readers");
        p.put("auto.offset.reset", "earliest");
        p.put("max.block.ms", "600000"); // longer than a broker's restart
        p.put("delivery.timeout.ms", "600000");
        return p;
    }

    /** Waits until the next record is due, and tells when the one behind it is. What a restart prevented is not made up for. */
    static long pace(long due, long gap) {
        long now = System.nanoTime();
        if (due > now)
            LockSupport.parkNanos(due - now);
        return Math.max(due, now - 1_000_000_000L) + gap;
    }

    static void produce(Properties p, long gap) {
        Random random = new Random(1);
        long due = System.nanoTime();
        try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(p)) {
            for (;;) {
                due = pace(due, gap);
                byte[] value = new byte[200 + random.nextInt(400)];
                producer.send(new ProducerRecord<>("topic", "key" + random.nextInt(1000), value), (m, e) -> {
                    if (e == null)
                        acknowledged.incrementAndGet();
                });
            }
        }
    }

    static void consume(Properties p) {
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(p)) {
            consumer.subscribe(List.of("topic"));
            for (;;)
                consumed.addAndGet(consumer.poll(Duration.ofMillis(100)).count());
        }
    }

    static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        Properties p = properties(args[0]);
        long gap = args.length > 1 ? 1_000_000_000L / Long.parseLong(args[1]) : 0;
        start(() -> produce(p, gap));
        start(() -> consume(p));
        start(() -> {
            for (;;) {
                System.out.println(System.nanoTime() + " " + acknowledged + " " + consumed);
                try {
                    Thread.sleep(100);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        while (System.in.read() >= 0)
            ;
    }
}
