package mpi;

/** The C struct of a double value and an int index, of type {@link MPI#DOUBLE_INT}. */
public final class DoubleInt extends Struct {
    private static final int VALUE = 0;
    private static final int INDEX = 8;

    DoubleInt() {
        super(MPI.DOUBLE_INT);
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A view of one such struct in a buffer; made by {@link #getData}. */
    public final class Data extends Struct.Data {
        public Data() {
            // Struct gives it its place.
        }

        public double getValue() {
            return getDouble(VALUE);
        }

        public int getIndex() {
            return getInt(INDEX);
        }

        public void putValue(double v) {
            putDouble(VALUE, v);
        }

        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
