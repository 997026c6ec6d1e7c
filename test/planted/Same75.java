// SPDX-License-Identifier: Apache-2.0

/** Three in four objects are the same; the rest are distinct. */
final class Same75 extends Planted<Item> {
    Same75(String[] args) {
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

    public static void main(String[] args) {
        Same75 program = new Same75(args);
        program.run();
        program.finish();
    }
}
