package org.brigade.nativ;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/**
 * What differs between builds of MPI at the binary level. Handles are longs here whatever they are there: addresses of the library's own objects in Open MPI, ints in MPICH and all that keep its ABI
 * (Intel MPI, MVAPICH, Cray), small integers in the shape of pointers in the ABI of MPI 5.
 *
 * @param handleBytes  of a handle in memory
 * @param statusIgnore what stands for no status
 * @param serialized   the thread level at which threads may call one at a time
 * @param multiple     the one at which all may call
 */
record HostMpiAbi(String name, int handleBytes, long world, long byteType, long errorsReturn, long statusIgnore, int anySource, int funneled, int serialized, int multiple) {
    private static final HostMpiAbi MPICH = new HostMpiAbi("MPICH", 4, 0x44000000L, 0x4c00010dL, 0x54000001L, 1, -2, 1, 2, 3);
    /** MPI 5.0, appendix A. */
    private static final HostMpiAbi STANDARD = new HostMpiAbi("MPI ABI", 8, 0x101, 0x247, 0x142, 0, -1, 1024, 2048, 4096);

    /**
     * Tells by what a library exports; the standard ABI's by its name, since the libraries beneath it export their own.
     *
     * @throws UnsatisfiedLinkError if it is no MPI
     */
    static HostMpiAbi of(NativeLibrary library, String path) {
        if (path.contains("libmpi_abi")) {
            return STANDARD;
        }
        if (has(library, "ompi_mpi_comm_world")) {
            return new HostMpiAbi("Open MPI", 8, address(library, "ompi_mpi_comm_world"), address(library, "ompi_mpi_byte"),
                address(library, "ompi_mpi_errors_return"), 0, -1, 1, 2, 3);
        }
        if (has(library, "MPI_Init_thread")) {
            return MPICH;
        }
        throw new UnsatisfiedLinkError(path + " is no MPI: it exports no MPI_Init_thread");
    }

    private static long address(NativeLibrary library, String symbol) {
        return Pointer.nativeValue(library.getGlobalVariableAddress(symbol));
    }

    private static boolean has(NativeLibrary library, String symbol) {
        try {
            return library.getGlobalVariableAddress(symbol) != null;
        } catch (UnsatisfiedLinkError absent) {
            return false;
        }
    }
}
