package org.brigade.transport.hostmpi.library;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/**
 * What differs between builds of MPI at the binary level. Handles are longs here whatever they are there: addresses of
 * the library's own objects in Open MPI, ints in MPICH and all that keep its ABI (Intel MPI, MVAPICH, Cray), small
 * integers in the shape of pointers in the ABI of MPI 5.
 *
 * @param handleBytes of a handle in memory
 * @param statusIgnore what stands for no status
 * @param serialized the thread level at which threads may call one at a time
 * @param multiple the one at which all may call
 */
record HostMpiAbi(String name, int handleBytes, long world, long byteType, long errorsReturn, long statusIgnore,
    int anySource, int funneled, int serialized, int multiple) {
    private static final HostMpiAbi MPICH =
        new HostMpiAbi("MPICH", 4, 0x44000000L, 0x4c00010dL, 0x54000001L, 1, -2, 1, 2, 3);
    private static final int STANDARD_ABI = 1;
    /** MPI 5.0, appendix A. */
    private static final HostMpiAbi STANDARD =
        new HostMpiAbi("MPI ABI", 8, 0x101, 0x247, 0x143, 0, -1, 1024, 2048, 4096);

    /**
     * Asks the library whether it keeps the standard ABI: one that does not may lie beside one that does, export the
     * same names, and be known by the same name. Others are told by what they export.
     *
     * @throws UnsatisfiedLinkError if it is no MPI, or keeps an ABI that is not known here
     */
    static HostMpiAbi of(NativeLibrary library, String path) {
        int standard = standardAbi(library);
        if (standard > 0) {
            if (standard != STANDARD_ABI) {
                throw new UnsatisfiedLinkError(path + " keeps version " + standard + " of MPI's standard ABI; version "
                    + STANDARD_ABI + " is known here");
            }
            return STANDARD;
        }
        if (has(library, "ompi_mpi_comm_world")) {
            return new HostMpiAbi("Open MPI", 8, address(library, "ompi_mpi_comm_world"),
                address(library, "ompi_mpi_byte"),
                address(library, "ompi_mpi_errors_return"), 0, -1, 1, 2, 3);
        }
        if (path.contains("libmpi_abi")) {
            throw new UnsatisfiedLinkError(
                path + " is older than MPI's standard ABI, whose numbers it does not have: MPI_Abi_get_version "
                    + (standard < 0 ? "says that it keeps none" : "is not there"));
        }
        if (has(library, "MPI_Init_thread")) {
            return MPICH;
        }
        throw new UnsatisfiedLinkError(path + " is no MPI: it exports no MPI_Init_thread");
    }

    /**
     * Major version of the standard ABI that a library keeps; -1 if it says that it keeps none, 0 if it does not know
     * the question. It may be asked before MPI_Init.
     */
    private static int standardAbi(NativeLibrary library) {
        if (!has(library, "MPI_Abi_get_version")) {
            return 0;
        }
        try (Memory version = new Memory(2 * Integer.BYTES)) {
            version.clear();
            library.getFunction("MPI_Abi_get_version").invokeInt(new Object[] {version, version.share(Integer.BYTES)});
            return version.getInt(0) > 0 ? version.getInt(0) : -1;
        }
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
