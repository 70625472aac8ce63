package org.brigade.schedule;

import org.brigade.pattern.Order;

/**
 * A number that may depend on the round of the enclosing {@link Loop}: {@code base + coefficient * round}, taken modulo
 * {@code modulus} (into 0..modulus-1) unless that is 0; or the rank at such a position of an {@link Order}. Peers and
 * blocks are such numbers, so that loops stay folded.
 *
 * @param order null: the number itself
 */
public record Index(int base, int coefficient, int modulus, Order order) {
    /** The round itself. */
    public static final Index ROUND = new Index(0, 1, 0, null);

    public static Index of(int constant) {
        return new Index(constant, 0, 0, null);
    }

    public int at(int round) {
        int value = base + coefficient * round;
        int reduced = modulus == 0 ? value : Math.floorMod(value, modulus);
        return order == null ? reduced : order.rank(reduced);
    }

    public boolean isConstant() {
        return coefficient == 0;
    }

    public Index plus(int constant) {
        requireUnreduced();
        return new Index(base + constant, coefficient, 0, null);
    }

    public Index times(int factor) {
        requireUnreduced();
        return new Index(base * factor, coefficient * factor, 0, null);
    }

    /** This number modulo {@code modulus}; after it only {@link #in} may follow. */
    public Index mod(int modulus) {
        requireUnreduced();
        return coefficient == 0 ? of(Math.floorMod(base, modulus)) : new Index(base, coefficient, modulus, null);
    }

    /** The rank at this position; must be the last operation. */
    public Index in(Order order) {
        if (order.isIdentity()) {
            return this;
        }
        return coefficient == 0 ? of(order.rank(base)) : new Index(base, coefficient, modulus, order);
    }

    private void requireUnreduced() {
        if (modulus != 0 || order != null) {
            throw new IllegalStateException("arithmetic after mod or in");
        }
    }

    // Written out, as in Slice.
    @Override
    public boolean equals(Object other) {
        return other instanceof Index index && base == index.base && coefficient == index.coefficient
            && modulus == index.modulus
            && (order == index.order || order != null && order.equals(index.order));
    }

    @Override
    public int hashCode() {
        return (base * 31 + coefficient) * 31 + modulus;
    }

    @Override
    public String toString() {
        if (coefficient == 0) {
            return Integer.toString(at(0));
        }
        String round = coefficient == 1 ? "i" : coefficient == -1 ? "-i" : coefficient + "i";
        String sum = base == 0 ? round : base + (coefficient > 0 ? "+" : "") + round;
        String number = modulus == 0 ? sum : "(" + sum + ")%" + modulus;
        return order == null ? number : "rank at " + number;
    }
}
