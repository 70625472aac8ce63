package mpi;

/** The C struct of an int value and an int index, of type {@link MPI#INT2}. */
public final class Int2 extends Struct {
    private static final int VALUE = 0;
    private static final int INDEX = 4;

    Int2(Datatype type) {
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
        public int getValue() {
            return getInt(VALUE);
        }

        /** The index. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(int v) {
            putInt(VALUE, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
