package org.brigade.select.trial;

import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.DeviceAlgorithm;

/**
 * Which algorithms give the same bits, so that a program's results do not depend on what was measured. Those that move
 * data only all do. Of reductions these do:
 * <ul>
 * <li>one algorithm, whatever its chunk, thread blocks and share: none of these changes the order of folding;</li>
 * <li>all that fold in rank order and round once, that is all but the
 * {@linkplain org.brigade.algorithm.DeviceKernel#stepwise stepwise} ones;</li>
 * <li>all, for operations that are exact in any order: those on integers, if they combine two values;</li>
 * <li>all, for sums and products among two ranks: there is one operation for each number, and its operands may be
 * exchanged.</li>
 * </ul>
 */
public final class SameBits {
    private SameBits() {
    }

    /**
     * Whether all algorithms give the same bits for such a call.
     *
     * @param op null for collectives that do not reduce
     */
    public static boolean always(Reduction op, TypeLayout type, int ranks) {
        return op == null || isInteger(type) && op.operator.isBinary()
            || ranks == 2 && (op.operator == Operator.SUM || op.operator == Operator.PROD);
    }

    private static boolean isInteger(TypeLayout type) {
        return type.numbers == TypeLayout.Numbers.PLAIN && type.pair == TypeLayout.Pair.NONE
            && type.kind != ElementKind.FLOAT && type.kind != ElementKind.DOUBLE;
    }

    /** Whether two algorithms of one collective do, for calls for which not all do. */
    static boolean among(DeviceAlgorithm one, DeviceAlgorithm other) {
        return one == other || !one.kernel().stepwise() && !other.kernel().stepwise();
    }
}
