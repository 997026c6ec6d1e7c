// SPDX-License-Identifier: Apache-2.0

/** Ten contents, equally frequent and mixed. */
final class TenGroups extends Planted<Item> {
    TenGroups(String[] args) {
        super(args);
    }

    @Override
    Item make(long i) {
        return new Item(random(i, 10)); // @site
    }

    @Override
    long use(Item item) {
        return item.use();
    }

    public static void main(String[] args) {
        TenGroups program = new TenGroups(args);
        program.run();
        program.finish();
    }
}
