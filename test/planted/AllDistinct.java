// SPDX-License-Identifier: Apache-2.0

/** No two objects have a field in common. */
final class AllDistinct extends Planted<Item> {
    AllDistinct(String[] args) {
        super(args);
    }

    @Override
    Item make(long i) {
        return new Item(i); // @site
    }

    @Override
    long use(Item item) {
        return item.use();
    }

    public static void main(String[] args) {
        AllDistinct program = new AllDistinct(args);
        program.run();
        program.finish();
    }
}
