// SPDX-License-Identifier: Apache-2.0

/** All objects are the same when they are constructed, and distinct when they are used. */
final class ChangedBeforeUse extends Planted<Item> {
    private long next;

    ChangedBeforeUse(String[] args) {
        super(args);
    }

    @Override
    Item make(long i) {
        return new Item(7); // @site
    }

    @Override
    void change(Item item) {
        item.set(100 + next++);
    }

    @Override
    long use(Item item) {
        return item.use();
    }

    public static void main(String[] args) {
        ChangedBeforeUse program = new ChangedBeforeUse(args);
        program.run();
        program.finish();
    }
}
