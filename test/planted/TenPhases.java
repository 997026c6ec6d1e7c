// SPDX-License-Identifier: Apache-2.0

/** Ten phases, each with a content of its own: any two neighbours in time are the same. */
final class TenPhases extends Planted<Item> {
    TenPhases(String[] args) {
        super(args);
    }

    @Override
    Item make(long i) {
        return new Item(1 + i * 10 / count); // @site
    }

    @Override
    long use(Item item) {
        return item.use();
    }

    public static void main(String[] args) {
        TenPhases program = new TenPhases(args);
        program.run();
        program.finish();
    }
}
