// SPDX-License-Identifier: Apache-2.0

import java.time.Duration;
import java.util.*;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;

/**
 * Keeps a Kafka broker busy, for test/broker.py: a producer that sends as fast as the broker answers, and a consumer. Every 100 ms it
 * prints the time of the monotonic clock in nanoseconds, how many records were acknowledged, and how many consumed. Ends with its
 * standard input.
 *
 *     java BrokerLoad HOST:PORT
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
        return p;
    }

    static void produce(Properties p) {
        Random random = new Random(1);
        try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(p)) {
            for (;;) {
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
        start(() -> produce(p));
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
