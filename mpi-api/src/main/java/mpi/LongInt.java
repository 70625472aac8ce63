package mpi;

/** The C struct of a long value and an int index, of type {@link MPI#LONG_INT}. */
public final class LongInt extends Struct {
    private static final int VALUE = 0;
    private static final int INDEX = 8;

    LongInt(Datatype type) {
        super(type);
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A view of one such struct in a buffer; made by {@link #getData}. */
    public final class Data extends Struct.Data {
        /** For {@link Struct}, which places it. */
        public Data() {
            // Struct places it.
        }

        /** The value. */
        public long getValue() {
            return getLong(VALUE);
        }

        /** The index. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(long v) {
            putLong(VALUE, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
