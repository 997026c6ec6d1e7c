// SPDX-License-Identifier: Apache-2.0

/** Two fields called `id`, the superclass's and one that hides it: only the hiding one differs. */
final class Shadowed extends Planted<Shadowed.Derived> {
    static class Base {
        int id;
        long kind;
    }

    static final class Derived extends Base {
        int id;
        int other;
        long more;
    }

    Shadowed(String[] args) {
        super(args);
    }

    @Override
    Derived make(long i) {
        Derived d = new Derived(); // @site
        ((Base) d).id = 11;
        d.kind = 12;
        d.id = (int) i + 1;
        d.other = 13;
        d.more = 14;
        return d;
    }

    @Override
    long use(Derived d) {
        return ((Base) d).id + d.kind + d.id + d.other + d.more;
    }

    public static void main(String[] args) {
        Shadowed program = new Shadowed(args);
        program.run();
        program.finish();
    }
}
