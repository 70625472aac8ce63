package org.brigade.nativ;

import java.io.IOException;
import java.io.InputStream;
import java.nio.Buffer;
import java.nio.file.Path;
import org.brigade.setting.Portable;
import org.brigade.setting.Setting;

/**
 * The compiled library in the jar, for Linux on x86-64 and aarch64: copies, copies between processes, and reductions
 * ({@link CompiledReductions}). It needs no library itself and is loaded on first use, in some milliseconds.
 *
 * <p>
 * Without it ({@link #LOADED} is false: on other processors, or with {@code brigade.native=off}) JNA reaches libc, and
 * reductions run in Java. Loading JNA takes about 100 ms, and Java's loops are slow until they are compiled. Where
 * neither the private folder nor java.io.tmpdir allows execution, JNA cannot be loaded either, and Java makes all
 * copies ({@link Libc#works}).
 *
 * <p>
 * Sources: src/main/native. {@code bin/natives} compiles them.
 */
public final class BrigadeLibrary {
    /** Whether the methods of this class may be called. */
    public static final boolean LOADED;
    /** Whether {@link #stream} differs from {@link #copy}. */
    static final boolean STREAMS;
    /** What was loaded, or why nothing was: for people. */
    public static final String STATE;
    /** Why the library that this processor has could not be loaded; null if it was, or is not wanted. */
    static final String FAILURE;

    private static final int AVX2 = 1;
    private static final int STORES_PAST_CACHES = 2;

    // Of each library: the first digits of its SHA-256, its CRC-32 and its length, written here by bin/natives. The
    // first names the file, and the others are compared, as loading SHA-256 would cost a cold program 15 ms.
    static final String X86_64 = "28c05698c0132e72";
    static final long X86_64_CRC = 0x81633a4dL;
    static final int X86_64_BYTES = 70944;
    static final String AARCH64 = "e876ffd7e177ff0f";
    static final long AARCH64_CRC = 0xbaa70279L;
    static final int AARCH64_BYTES = 66848;

    private static Path where;

    static {
        boolean[] found = new boolean[1];
        String missing = load(found);
        FAILURE = found[0] ? missing : null;
        LOADED = missing == null;
        int instructions = LOADED ? prepare() : 0;
        STREAMS = (instructions & STORES_PAST_CACHES) != 0;
        STATE = LOADED ? folder().concat((instructions & AVX2) != 0 ? ", AVX2" : "") : missing;
    }

    private BrigadeLibrary() {
    }

    private static String folder() {
        String machine = System.getProperty("os.arch");
        return System.getProperty("os.name").concat("-").concat(machine.equals("amd64") ? "x86_64" : machine);
    }

    /** Null if it has been loaded. @param found becomes true if there is one for this machine, and it is wanted */
    private static String load(boolean[] found) {
        if (Portable.ON) {
            return "none, as ".concat(Portable.WHY);
        }
        if ("off".equals(Setting.text("native", System.getProperties(), System.getenv()))) {
            return "switched off (brigade.native=off)";
        }
        String machine = folder();
        String digest = machine.equals("Linux-x86_64") ? X86_64 : machine.equals("Linux-aarch64") ? AARCH64 : null;
        if (digest == null) {
            return "the jar has none for ".concat(machine);
        }
        found[0] = true;
        try {
            load(PrivateFolder.ofThisUser(), machine, digest);
            return null;
        } catch (IOException | LinkageError | SecurityException wrong) {
            try { // a home may be mounted without execution
                load(PrivateFolder.inTemporaryFolder(), machine, digest);
                return null;
            } catch (IOException | LinkageError | SecurityException alsoWrong) {
                return wrong.getMessage();
            }
        }
    }

    private static void load(Path folder, String machine, String digest) throws IOException {
        // Named by its content: another version of Brigade must not put its library there before this is loaded.
        String name = "libbrigade-".concat(digest).concat(".so");
        Path file = folder.resolve(name);
        boolean whole = machine.equals("Linux-x86_64") ? PrivateFolder.holds(folder, name, X86_64_BYTES, X86_64_CRC)
            : PrivateFolder.holds(folder, name, AARCH64_BYTES, AARCH64_CRC);
        if (!whole) { // opening the jar takes 5 ms
            file = PrivateFolder.put(folder, name, image(machine));
        }
        System.load(file.toString());
        where = folder;
        AtomicWords.compiled = true;
        ThreadPlace.compiled = true;
        AwaitedWord.compiled = true;
    }

    /** The folder from which a library could be loaded; null if none was loaded. */
    static Path where() {
        return where;
    }

    static byte[] image(String machine) throws IOException {
        try (InputStream in = BrigadeLibrary.class.getResourceAsStream(machine.concat("/libbrigade.so"))) {
            return in.readAllBytes();
        }
    }

    /** Chooses the processor's instructions, and says what it has beside those of every processor of its kind. */
    private static native int prepare();

    /** The address of byte 0 of a direct buffer. */
    static native long address(Buffer direct);

    /** libc's memcpy. */
    static native void copy(long target, long source, long bytes);

    /**
     * Copies the blocks of runs ({@link CompiledRuns}) to packed memory, or back.
     *
     * @param place the address that the runs count from
     * @param count runs, at most {@link CompiledRuns#MOST}
     */
    static native void copyRuns(long packed, long place, long[] runs, int count, boolean unpacks);

    /** {@link CompiledRuns#stretches(long, Object, long, long[], long[], int, int, boolean)}. */
    static native boolean copyStretches(long packed, Object array, long from, long[] at, long[] before, int first,
        int end, boolean unpacks);

    /**
     * As {@link #copy}, with stores that go past the caches; whatever is stored next is visible after them.
     *
     * @param source a primitive array, or null
     * @param sourceAt a byte of the array, or an address
     * @return false if the JVM could not give the array; then nothing has been done
     */
    static native boolean stream(long target, Object source, long sourceAt, long bytes);

    /** process_vm_readv; 0, or an errno. */
    static native int readProcess(int process, long from, long to, long bytes);

    /** process_vm_writev; 0, or an errno. */
    static native int writeProcess(int process, long to, long from, long bytes);

    /** prctl with PR_SET_PTRACER and a process; 0: the parent. */
    static native void permit(int process);

    /**
     * Waits until one of the processes (at most 8) has ended, then has the kernel kill this one after so many
     * milliseconds. Returns at that end with 0, or at once with an errno.
     */
    static native int endSoonAfter(int[] processes, int millis);

    /** Compares and sets a word at a multiple of 8, as a volatile one. */
    static native boolean compareAndSet(long address, long expected, long value);

    /**
     * Looks at a word for {@link AwaitedWord}: true as soon as {@code word & mask} is from {@code least} to
     * {@code most}. First so many looks without a pause, then looks for so many nanoseconds, with a pause or a yield
     * after each.
     *
     * @param address 0: nothing is ever there
     * @param ahead 512 bytes that each of the first looks reads, too; 0: none
     */
    static native boolean look(long address, long mask, long least, long most, long ahead, int looks, int nanos,
        boolean yields);

    /** The processor on which the calling thread runs; -1 if the kernel does not say. */
    static native int processor();

    /**
     * Moves the calling thread to a processor. After that it may run wherever it might before.
     *
     * @return 0, or an errno: EINVAL if it may not run there
     */
    static native int moveTo(int processor);

    /**
     * Where a thread of this process may run from now on, one bit a processor; thread 0 is the calling one. Where the
     * kernel allows only some of the processors, on those.
     *
     * @return 0, or an errno: EINVAL if it may run on none of them
     */
    static native int place(int thread, long[] processors);

    /** madvise with MADV_REMOVE. */
    static native void removePages(long address, long bytes);

    /**
     * {@code target[i] = operand[i] op incoming[i]}. Target and operand are a primitive array and a byte in it, or null
     * and an address. No garbage is collected while an array is in use, so keep calls with arrays short.
     *
     * @param kind and operator: numbers of {@link CompiledReductions}
     * @param incoming an address
     * @param count elements
     * @return false if the JVM could not give the arrays; then nothing has been done
     */
    static native boolean reduce(int kind, int operator, Object target, long targetAt, Object operand, long operandAt,
        long incoming, long count);

    /**
     * A call of {@link CompiledExchange}.
     *
     * @param members the address of its table
     * @param how the numbers of {@link CompiledExchange}
     * @param send a primitive array and a byte in it, or null and an address; the same of {@code recv}
     * @param call the first word of the entry that notes this call if it is done
     * @param number the call's number there; negative: it is not to be noted
     * @param begun how many calls this rank has begun, which the members are told first; 0: they know
     */
    static native int exchange(long members, int block, long tag, long what, int how, Object send, long sendAt,
        Object recv, long recvAt, int from, int length, int looks, int nanos, long call, int number, long begun);
}
