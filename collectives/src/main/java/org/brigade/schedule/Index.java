package org.brigade.schedule;

/**
 * A number that may depend on the round of the enclosing {@link Loop}: {@code base + coefficient * round}, taken modulo
 * {@code modulus} (into 0..modulus-1) unless that is 0. Peers and blocks are such numbers, so that loops stay folded.
 */
public record Index(int base, int coefficient, int modulus) {
    /** The round itself. */
    public static final Index ROUND = new Index(0, 1, 0);

    public static Index of(int constant) {
        return new Index(constant, 0, 0);
    }

    public int at(int round) {
        int value = base + coefficient * round;
        return modulus == 0 ? value : Math.floorMod(value, modulus);
    }

    public boolean isConstant() {
        return coefficient == 0;
    }

    public Index plus(int constant) {
        requireUnreduced();
        return new Index(base + constant, coefficient, 0);
    }

    public Index times(int factor) {
        requireUnreduced();
        return new Index(base * factor, coefficient * factor, 0);
    }

    /** This number modulo {@code modulus}; the last thing to do to it. */
    public Index mod(int modulus) {
        requireUnreduced();
        return coefficient == 0 ? of(Math.floorMod(base, modulus)) : new Index(base, coefficient, modulus);
    }

    private void requireUnreduced() {
        if (modulus != 0) {
            throw new IllegalStateException("arithmetic after mod");
        }
    }

    // Written out, as in Slice.
    @Override
    public boolean equals(Object other) {
        return other instanceof Index index && base == index.base && coefficient == index.coefficient && modulus == index.modulus;
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
        return modulus == 0 ? sum : "(" + sum + ")%" + modulus;
    }
}
