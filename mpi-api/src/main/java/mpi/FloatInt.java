package mpi;

/** The C struct of a float value and an int index, of type {@link MPI#FLOAT_INT}. */
public final class FloatInt extends Struct {
    private static final int VALUE = 0;
    private static final int INDEX = 4;

    FloatInt(Datatype type) {
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
        public float getValue() {
            return getFloat(VALUE);
        }

        /** The index. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue(float v) {
            putFloat(VALUE, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
