package mpi;

/** The C struct of $a$ $type$ value and an int index, of type {@link MPI#$CONSTANT$}. */
public final class $Class$ extends Struct {
    private static final int VALUE = 0;
    private static final int INDEX = $index$;

    $Class$(Datatype type) {
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
        public $type$ getValue() {
            return get$Type$(VALUE);
        }

        /** The index. */
        public int getIndex() {
            return getInt(INDEX);
        }

        /** Sets the value. */
        public void putValue($type$ v) {
            put$Type$(VALUE, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(INDEX, v);
        }
    }
}
