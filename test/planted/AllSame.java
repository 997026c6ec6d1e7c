// SPDX-License-Identifier: Apache-2.0

/** All objects are the same. */
final class AllSame extends Planted<Item> {
    AllSame(String[] args) {
        super(args);
    }

    @Override
    Item make(long i) {
        return new Item(7); // @site
    }

    @Override
    long use(Item item) {
        return item.use();
    }

    public static void main(String[] args) {
        AllSame program = new AllSame(args);
        program.run();
        program.finish();
    }
}
