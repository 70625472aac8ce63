package org.brigade.transport.hostmpi.library;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/**
 * The binary differences between MPIs. Handles are longs here. In Open MPI they are addresses of the library's objects,
 * in MPICH and MPIs with its ABI (Intel MPI, MVAPICH, Cray) ints, in the ABI of MPI 5 small integers in pointers.
 *
 * @param handleBytes of a handle in memory
 * @param statusIgnore the value for no status
 * @param serialized the thread level at which threads may call one at a time
 * @param multiple the thread level at which all threads may call at once
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
     * Asks the library whether it has the standard ABI: libraries with and without it may exist side by side under one
     * name and export the same functions. Other ABIs are recognised by their exported symbols.
     *
     * @throws UnsatisfiedLinkError if it is no MPI, or has an unknown ABI
     */
    static HostMpiAbi of(NativeLibrary library, String path) {
        int standard = standardAbi(library);
        if (standard > 0) {
            if (standard != STANDARD_ABI) {
                throw new UnsatisfiedLinkError(path + " has version " + standard + " of MPI's standard ABI; version "
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
                    + (standard < 0 ? "says that it has none" : "is missing"));
        }
        if (has(library, "MPI_Init_thread")) {
            return MPICH;
        }
        throw new UnsatisfiedLinkError(path + " is no MPI: it exports no MPI_Init_thread");
    }

    /**
     * Major version of the library's standard ABI; -1 if it says that it has none, 0 if it does not know the question.
     * May be asked before MPI_Init.
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
