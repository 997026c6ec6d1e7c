// SPDX-License-Identifier: Apache-2.0

/** One place of allocation, called from two: what the one asks for is always the same, the other's never. */
final class TwoCallers extends Planted<Item> {
    TwoCallers(String[] args) {
        super(args);
    }

    @Override
    Item make(long i) {
        return random(i, 2) == 0 ? constant() : changing(i);
    }

    private Item constant() {
        return build(7); // @constant
    }

    private Item changing(long i) {
        return build(i + 100); // @changing
    }

    private Item build(long key) {
        return new Item(key); // @site
    }

    @Override
    long use(Item item) {
        return item.use();
    }

    public static void main(String[] args) {
        TwoCallers program = new TwoCallers(args);
        program.run();
        program.finish();
    }
}
