package org.brigade.cli.bench.families;

import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;

/** Derived types of doubles that programs send. */
enum Layout {
    /** A column of a matrix of 1024 columns. */
    COLUMN("column", 256 << 10) {
        @Override
        Datatype type(int doubles) throws MPIException {
            return Datatype.createVector(doubles, 1, WIDTH, MPI.DOUBLE);
        }

        @Override
        int room(int doubles) {
            return doubles * WIDTH;
        }
    },
    /** Blocks of 1 to 7 doubles, each 12 after the one before. */
    INDEXED("indexed", 64 << 20) {
        @Override
        Datatype type(int doubles) throws MPIException {
            int blocks = blocks(doubles);
            int[] lengths = new int[blocks];
            int[] places = new int[blocks];
            for (int i = 0; i < blocks; i++) {
                lengths[i] = 1 + i % 7;
                places[i] = 12 * i;
            }
            return Datatype.createIndexed(lengths, places, MPI.DOUBLE);
        }

        @Override
        int whole(int doubles) {
            int whole = 0;
            for (int i = 0; i < blocks(doubles); i++) {
                whole += 1 + i % 7;
            }
            return whole;
        }

        @Override
        int room(int doubles) {
            return 12 * blocks(doubles);
        }

        private int blocks(int doubles) {
            return Math.max(1, doubles / 4);
        }
    },
    EVERY_OTHER("every-other", 64 << 20) {
        @Override
        Datatype type(int doubles) throws MPIException {
            return Datatype.createVector(doubles, 1, 2, MPI.DOUBLE);
        }

        @Override
        int room(int doubles) {
            return 2 * doubles;
        }
    },
    /** The left half of some rows of a matrix of 1024 columns. */
    ROWS("rows", 64 << 20) {
        @Override
        Datatype type(int doubles) throws MPIException {
            return Datatype.createVector(whole(doubles) / HALF, HALF, WIDTH, MPI.DOUBLE);
        }

        @Override
        int whole(int doubles) {
            return Math.max(1, doubles / HALF) * HALF;
        }

        @Override
        int room(int doubles) {
            return 2 * whole(doubles);
        }
    };

    private static final int WIDTH = 1024;
    private static final int HALF = WIDTH / 2;

    final String key;
    /** Bytes of data. */
    final long most;

    Layout(String key, long most) {
        this.key = key;
        this.most = most;
    }

    /** The type for about so many doubles. */
    abstract Datatype type(int doubles) throws MPIException;

    /** How many doubles it has indeed. */
    int whole(int doubles) {
        return doubles;
    }

    /** The length of its buffer in doubles. */
    abstract int room(int doubles);
}
