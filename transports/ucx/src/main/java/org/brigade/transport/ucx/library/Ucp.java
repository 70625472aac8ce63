package org.brigade.transport.ucx.library;

import com.sun.jna.Callback;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Jna;
import org.brigade.nativ.SignalHandlers;

/**
 * UCX's protocols through their C interface: contexts, workers, endpoints and tagged messages, of versions from
 * {@link #LEAST_MAJOR}.{@link #LEAST_MINOR} on. Handles and addresses are longs. Every failed call throws a
 * {@link UcxException}. Structures are laid out here as in ucp_def.h; their masks say which members are set, so later
 * versions, which add members, read the same.
 *
 * <p>
 * One thread at a time for a worker. Loads JNA, so code that runs at start-up must not use this class.
 */
public final class Ucp {
    public static final String LIBRARY = "libucp.so.0";
    public static final int LEAST_MAJOR = 1;
    public static final int LEAST_MINOR = 10;
    /** A finished request, or none. */
    public static final long NONE = 0;

    private static final String BASE_LIBRARY = "libucs.so.0";

    // ucs_status_t, a signed byte. Calls that return a request return these as an address.
    private static final int IN_PROGRESS = 1;
    private static final int BUSY = -15;
    private static final int CANCELED = -16;
    private static final long LEAST_STATUS = -100;

    // struct ucp_params
    private static final int FEATURES = 8;
    private static final long FIELD_FEATURES = 1;
    private static final long FEATURE_TAG = 1;
    private static final long FEATURE_WAKEUP = 16;
    private static final int PARAMS_BYTES = 256;
    // struct ucp_ep_params
    private static final int ADDRESS = 8;
    private static final int ERROR_MODE = 16;
    private static final int ERROR_CALL = 24;
    private static final int ERROR_ARGUMENT = 32;
    private static final long FIELD_ADDRESS = 1;
    private static final long FIELD_ERROR_MODE = 2;
    private static final long FIELD_ERROR_HANDLER = 4;
    private static final int ERROR_MODE_PEER = 1;
    // struct ucp_worker_params
    private static final int THREAD_MODE = 8;
    private static final long FIELD_THREAD_MODE = 1;
    private static final int SERIALIZED = 1;
    // struct ucp_request_param
    private static final int FLAGS = 4;
    private static final int FIELD_FLAGS = 16;
    private static final int FORCE = 1;
    private static final int REQUEST_PARAM_BYTES = 128;

    /** Versions before this one take a cancelled receive for ended, although something may still come into it. */
    private static final int LEAST_WITHDRAWING_MINOR = 13;
    /** From this version on {@link #withdraws} holds. */
    public static final String LEAST_WITHDRAWING = LEAST_MAJOR + "." + LEAST_WITHDRAWING_MINOR;

    private static String path;
    private static String version;
    private static boolean withdraws;
    /** Parameters of messages: none is set. */
    private static final NativeMemory PLAIN = NativeMemory.allocate(REQUEST_PARAM_BYTES);
    private static long plain;

    /** Hears of the end of a connection, within a call of {@link #progress}. It calls nothing here. */
    public interface PeerFailure extends Callback {
        /** @param peer the number given to {@link #connect} */
        void failed(long peer, long endpoint, byte status);
    }

    private Ucp() {
    }

    /**
     * Binds to the library, once a process. UCX is told to log nothing but what ends the process, unless the user wants
     * more, and to leave the JVM's signal handlers alone.
     *
     * @param file null for the one that the system's loader finds
     * @throws UnsatisfiedLinkError if there is none, it lacks a function, or is too old
     */
    public static synchronized void load(String file) {
        if (version != null) {
            return;
        }
        SignalHandlers handlers = SignalHandlers.ofNow();
        try {
            Jna.prepare();
            Native.register(Environment.class, NativeLibrary.getInstance("c"));
            Environment.setenv("UCX_LOG_LEVEL", "fatal", 0);
            Environment.setenv("UCX_HANDLE_ERRORS", "none", 0);
            Environment.setenv("UCX_ERROR_SIGNALS", "", 0);
            NativeLibrary found = NativeLibrary.getInstance(file == null ? LIBRARY : file);
            Native.register(Functions.class, found);
            Native.register(Words.class, NativeLibrary.getInstance(BASE_LIBRARY));
            int[] numbers = versionNumbers();
            String its = numbers[0] + "." + numbers[1] + "." + numbers[2];
            path = found.getFile() == null ? LIBRARY : found.getFile().getPath();
            if (numbers[0] != LEAST_MAJOR || numbers[1] < LEAST_MINOR) {
                throw new UnsatisfiedLinkError("it is UCX " + its + ", and Brigade needs " + LEAST_MAJOR + "."
                    + LEAST_MINOR + " or a later " + LEAST_MAJOR + ".x");
            }
            plain = PLAIN.address();
            withdraws = numbers[1] >= LEAST_WITHDRAWING_MINOR;
            version = its;
        } finally {
            handlers.restore();
        }
    }

    private static int[] versionNumbers() {
        try (Memory numbers = new Memory(3 * Integer.BYTES)) {
            long at = Pointer.nativeValue(numbers);
            Functions.ucp_get_version(at, at + 4, at + 8);
            return numbers.getIntArray(0, 3);
        }
    }

    /** Like {@code 1.13.1}; only once it is loaded, as all below. */
    public static String version() {
        return version;
    }

    /** File of the library, or its name if the system's loader found it. */
    public static String path() {
        return path;
    }

    /** A status in UCX's words. */
    static String text(int status) {
        Pointer words = Words.ucs_status_string((byte) status);
        return words == null ? "status " + status : words.getString(0);
    }

    // ---- contexts, workers, endpoints ----

    /** A new context for tagged messages. The JVM keeps its signal handlers. */
    public static long context() {
        SignalHandlers handlers = SignalHandlers.ofNow();
        try (Memory params = zeros(PARAMS_BYTES); Memory answers = zeros(2 * Long.BYTES)) {
            long answer = Pointer.nativeValue(answers);
            check("ucp_config_read", Functions.ucp_config_read(0, 0, answer));
            long config = answers.getLong(0);
            params.setLong(0, FIELD_FEATURES);
            params.setLong(FEATURES, FEATURE_TAG | FEATURE_WAKEUP);
            byte status = Functions.ucp_init_version(LEAST_MAJOR, LEAST_MINOR, Pointer.nativeValue(params), config,
                answer + Long.BYTES);
            Functions.ucp_config_release(config);
            check("ucp_init", status);
            return answers.getLong(Long.BYTES);
        } finally {
            handlers.restore();
        }
    }

    public static void closeContext(long context) {
        Functions.ucp_cleanup(context);
    }

    /** The transports and devices that a context uses: {@code tcp/eth0}. */
    public static List<String> devices(long context) {
        try (Memory answers = zeros(2 * Long.BYTES)) {
            Native.register(Streams.class, NativeLibrary.getInstance("c"));
            long at = Pointer.nativeValue(answers);
            long file = Streams.open_memstream(at, at + Long.BYTES);
            if (file == 0) {
                return List.of();
            }
            Functions.ucp_context_print_info(context, file);
            Streams.fclose(file);
            Pointer text = answers.getPointer(0);
            List<String> devices = new ArrayList<>();
            for (String line : text.getString(0).split("\n")) {
                int name = line.indexOf("-- ");
                if (line.contains("resource") && name > 0) {
                    devices.add(line.substring(name + 3).strip());
                }
            }
            Streams.free(text);
            return devices;
        }
    }

    /** A new worker, which one thread at a time calls. */
    public static long worker(long context) {
        try (Memory params = zeros(PARAMS_BYTES); Memory answer = zeros(Long.BYTES)) {
            params.setLong(0, FIELD_THREAD_MODE);
            params.setInt(THREAD_MODE, SERIALIZED);
            check("ucp_worker_create",
                Functions.ucp_worker_create(context, Pointer.nativeValue(params), Pointer.nativeValue(answer)));
            return answer.getLong(0);
        }
    }

    public static void closeWorker(long worker) {
        Functions.ucp_worker_destroy(worker);
    }

    /** The descriptor that has something to read when a worker that was {@link #arm}ed has something to do. */
    public static int events(long worker) {
        try (Memory answer = zeros(Long.BYTES)) {
            check("ucp_worker_get_efd", Functions.ucp_worker_get_efd(worker, Pointer.nativeValue(answer)));
            return answer.getInt(0);
        }
    }

    /** Prepares for a wait at {@link #events}; false if there is something to do already. */
    public static boolean arm(long worker) {
        byte status = Functions.ucp_worker_arm(worker);
        if (status == BUSY) {
            return false;
        }
        check("ucp_worker_arm", status);
        return true;
    }

    /** How others reach a worker; some hundred bytes. */
    public static byte[] address(long worker) {
        try (Memory answers = zeros(2 * Long.BYTES)) {
            long at = Pointer.nativeValue(answers);
            check("ucp_worker_get_address", Functions.ucp_worker_get_address(worker, at, at + Long.BYTES));
            byte[] address = answers.getPointer(0).getByteArray(0, (int) answers.getLong(Long.BYTES));
            Functions.ucp_worker_release_address(worker, answers.getLong(0));
            return address;
        }
    }

    /**
     * A new endpoint to a worker. Returns at once; the connection is made meanwhile.
     *
     * @param hears must stay alive as long as the endpoint
     */
    public static long connect(long worker, byte[] address, int peer, PeerFailure hears) {
        try (Memory params = zeros(PARAMS_BYTES); Memory answer = zeros(Long.BYTES);
            Memory target = new Memory(address.length)) {
            target.write(0, address, 0, address.length);
            params.setLong(0, FIELD_ADDRESS | FIELD_ERROR_MODE | FIELD_ERROR_HANDLER);
            params.setPointer(ADDRESS, target);
            params.setInt(ERROR_MODE, ERROR_MODE_PEER);
            params.setPointer(ERROR_CALL, com.sun.jna.CallbackReference.getFunctionPointer(hears));
            params.setLong(ERROR_ARGUMENT, peer);
            check("ucp_ep_create",
                Functions.ucp_ep_create(worker, Pointer.nativeValue(params), Pointer.nativeValue(answer)));
            return answer.getLong(0);
        }
    }

    /**
     * Begins to close an endpoint.
     *
     * @param forced at once, without sending what is left
     * @return a request, or {@link #NONE}
     */
    public static long close(long endpoint, boolean forced) {
        try (Memory param = zeros(REQUEST_PARAM_BYTES)) {
            param.setInt(0, FIELD_FLAGS);
            param.setInt(FLAGS, forced ? FORCE : 0);
            return request("ucp_ep_close_nbx", Functions.ucp_ep_close_nbx(endpoint, Pointer.nativeValue(param)));
        }
    }

    private static Memory zeros(int bytes) {
        Memory memory = new Memory(bytes);
        memory.clear();
        return memory;
    }

    // ---- messages ----

    /** Begins to send bytes; returns a request, or {@link #NONE} if they may be changed already. */
    public static long send(long endpoint, long address, long bytes, long tag) {
        return request("ucp_tag_send_nbx", Functions.ucp_tag_send_nbx(endpoint, address, bytes, tag, plain));
    }

    /** As {@link #send}, but ends only after the receiver has begun to receive. */
    public static long sendAwaited(long endpoint, long address, long bytes, long tag) {
        return request("ucp_tag_send_sync_nbx", Functions.ucp_tag_send_sync_nbx(endpoint, address, bytes, tag, plain));
    }

    /** Begins to receive up to so many bytes under a tag that is the given one where the mask has bits. */
    public static long receive(long worker, long address, long bytes, long tag, long mask) {
        return request("ucp_tag_recv_nbx", Functions.ucp_tag_recv_nbx(worker, address, bytes, tag, mask, plain));
    }

    /** Moves everything on; returns whether anything has happened. */
    public static boolean progress(long worker) {
        return Functions.ucp_worker_progress(worker) != 0;
    }

    /**
     * Whether a request has ended; then it is freed.
     *
     * @throws UcxException if it has failed, or UCX has cancelled it, as it does when its connection is closed by force
     */
    public static boolean ended(long request) {
        byte status = Functions.ucp_request_check_status(request);
        if (status == IN_PROGRESS) {
            return false;
        }
        Functions.ucp_request_free(request);
        check("a message", status);
        return true;
    }

    /** Gives up a request that has not ended; UCX frees it when it ends. */
    public static void release(long request) {
        Functions.ucp_request_free(request);
    }

    /** Whether nothing comes any more into what {@link #withdraw} has taken back. */
    public static boolean withdraws() {
        return withdraws;
    }

    /** Cancels a receive to which nothing has come and frees it; false, and no change, if something has come. */
    public static boolean withdraw(long worker, long request) {
        Functions.ucp_request_cancel(worker, request);
        if (Functions.ucp_request_check_status(request) != CANCELED) {
            return false;
        }
        Functions.ucp_request_free(request);
        return true;
    }

    // ---- results ----

    private static long request(String call, long request) {
        if (request < 0 && request >= LEAST_STATUS) {
            throw new UcxException(call, (int) request);
        }
        return request;
    }

    private static void check(String call, byte status) {
        if (status < 0) {
            throw new UcxException(call, status);
        }
    }

    private static final class Environment {
        static native int setenv(String name, String value, int overwrite);
    }

    private static final class Streams {
        static native long open_memstream(long text, long length);

        static native int fclose(long file);

        static native void free(Pointer memory);
    }

    private static final class Words {
        static native Pointer ucs_status_string(byte status);
    }

    /** As in ucp.h, with a long for each pointer, handle and size. */
    private static final class Functions {
        static native void ucp_get_version(long major, long minor, long release);

        static native byte ucp_config_read(long prefix, long file, long config);

        static native void ucp_config_release(long config);

        static native byte ucp_init_version(int major, int minor, long params, long config, long context);

        static native void ucp_cleanup(long context);

        static native void ucp_context_print_info(long context, long file);

        static native byte ucp_worker_create(long context, long params, long worker);

        static native void ucp_worker_destroy(long worker);

        static native byte ucp_worker_get_efd(long worker, long descriptor);

        static native byte ucp_worker_arm(long worker);

        static native byte ucp_worker_get_address(long worker, long address, long length);

        static native void ucp_worker_release_address(long worker, long address);

        static native byte ucp_ep_create(long worker, long params, long endpoint);

        static native long ucp_ep_close_nbx(long endpoint, long param);

        static native long ucp_tag_send_nbx(long endpoint, long address, long bytes, long tag, long param);

        static native long ucp_tag_send_sync_nbx(long endpoint, long address, long bytes, long tag, long param);

        static native long ucp_tag_recv_nbx(long worker, long address, long bytes, long tag, long mask, long param);

        static native int ucp_worker_progress(long worker);

        static native byte ucp_request_check_status(long request);

        static native void ucp_request_free(long request);

        static native void ucp_request_cancel(long worker, long request);
    }
}
