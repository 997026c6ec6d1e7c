// SPDX-License-Identifier: Apache-2.0

/** Three in four objects are the same; they are made at depths of 0 to 39 of a recursion, direct or mutual. */
final class Recursion extends Planted<Item> {
    Recursion(String[] args) {
        super(args);
    }

    @Override
    Item make(long i) {
        long key = random(i, 4) == 0 ? i + 100 : 7;
        int depth = random(~i, 40);
        return (depth & 1) == 0 ? down(depth, key) : ping(depth, key);
    }

    private Item down(int depth, long key) {
        if (depth > 0) {
            return down(depth - 1, key);
        }
        return new Item(key); // @site
    }

    private Item ping(int depth, long key) {
        if (depth > 0) {
            return pong(depth - 1, key);
        }
        return build(key);
    }

    private Item pong(int depth, long key) {
        if (depth > 0) {
            return ping(depth - 1, key);
        }
        return build(key);
    }

    private Item build(long key) {
        return new Item(key); // @mutual
    }

    @Override
    long use(Item item) {
        return item.use();
    }

    public static void main(String[] args) {
        Recursion program = new Recursion(args);
        program.run();
        program.finish();
    }
}
