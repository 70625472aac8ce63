package org.brigade.soak;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.Datatype;
import mpi.MPI;

/** A buffer of whole numbers in any primitive type: an array, or a direct buffer. */
final class Elements {
    /** What stands where nothing may be written. */
    static final long CANARY = 77;

    enum Kind {
        BYTE(1, byte.class), SHORT(2, short.class), INT(4, int.class), LONG(8, long.class), FLOAT(4, float.class),
        DOUBLE(8, double.class);

        final int bytes;
        private final Class<?> primitive;

        Kind(int bytes, Class<?> primitive) {
            this.bytes = bytes;
            this.primitive = primitive;
        }

        boolean isWhole() {
            return this != FLOAT && this != DOUBLE;
        }

        /** What a whole number becomes in this type. */
        long narrowed(long value) {
            return switch (this) {
                case BYTE -> (byte) value;
                case SHORT -> (short) value;
                case INT -> (int) value;
                default -> value;
            };
        }

        Datatype type() {
            return switch (this) {
                case BYTE -> MPI.BYTE;
                case SHORT -> MPI.SHORT;
                case INT -> MPI.INT;
                case LONG -> MPI.LONG;
                case FLOAT -> MPI.FLOAT;
                case DOUBLE -> MPI.DOUBLE;
            };
        }
    }

    final Kind kind;
    final int length;
    /** What calls are given. */
    final Object buffer;
    /** Null if it is an array. */
    private final ByteBuffer direct;

    /** All canaries. */
    Elements(Kind kind, int length, boolean isDirect) {
        this.kind = kind;
        this.length = length;
        if (isDirect) {
            direct = ByteBuffer.allocateDirect(Math.max(1, length * kind.bytes)).order(ByteOrder.nativeOrder());
            buffer = switch (kind) {
                case BYTE -> direct;
                case SHORT -> direct.asShortBuffer();
                case INT -> direct.asIntBuffer();
                case LONG -> direct.asLongBuffer();
                case FLOAT -> direct.asFloatBuffer();
                case DOUBLE -> direct.asDoubleBuffer();
            };
        } else {
            direct = null;
            buffer = Array.newInstance(kind.primitive, length);
        }
        for (int i = 0; i < length; i++) {
            set(i, CANARY);
        }
    }

    void set(int i, long value) {
        switch (kind) {
            case BYTE -> {
                if (direct != null) {
                    direct.put(i, (byte) value);
                } else {
                    ((byte[]) buffer)[i] = (byte) value;
                }
            }
            case SHORT -> {
                if (direct != null) {
                    direct.putShort(2 * i, (short) value);
                } else {
                    ((short[]) buffer)[i] = (short) value;
                }
            }
            case INT -> {
                if (direct != null) {
                    direct.putInt(4 * i, (int) value);
                } else {
                    ((int[]) buffer)[i] = (int) value;
                }
            }
            case LONG -> {
                if (direct != null) {
                    direct.putLong(8 * i, value);
                } else {
                    ((long[]) buffer)[i] = value;
                }
            }
            case FLOAT -> {
                if (direct != null) {
                    direct.putFloat(4 * i, value);
                } else {
                    ((float[]) buffer)[i] = value;
                }
            }
            case DOUBLE -> {
                if (direct != null) {
                    direct.putDouble(8 * i, value);
                } else {
                    ((double[]) buffer)[i] = value;
                }
            }
        }
    }

    /** A fraction, which no result has, becomes Long.MIN_VALUE. */
    long get(int i) {
        double value = switch (kind) {
            case BYTE -> direct != null ? direct.get(i) : ((byte[]) buffer)[i];
            case SHORT -> direct != null ? direct.getShort(2 * i) : ((short[]) buffer)[i];
            case INT -> direct != null ? direct.getInt(4 * i) : ((int[]) buffer)[i];
            case LONG -> {
                long exact = direct != null ? direct.getLong(8 * i) : ((long[]) buffer)[i];
                yield Math.abs(exact) < 1L << 52 ? exact : Double.NaN;
            }
            case FLOAT -> direct != null ? direct.getFloat(4 * i) : ((float[]) buffer)[i];
            case DOUBLE -> direct != null ? direct.getDouble(8 * i) : ((double[]) buffer)[i];
        };
        return value == (long) value ? (long) value : Long.MIN_VALUE;
    }
}
