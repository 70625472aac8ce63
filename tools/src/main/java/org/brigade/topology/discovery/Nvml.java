package org.brigade.topology.discovery;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import org.brigade.nativ.Jna;

/**
 * NVIDIA's management library, libnvidia-ml: the GPUs and their links, by index. What a driver does not tell or does
 * not support is -1 or null. Loads JNA, so code that runs at start-up must not use it.
 */
public final class Nvml implements AutoCloseable {
    public static final String LIBRARY = "libnvidia-ml.so.1";

    private static final int SUCCESS = 0;
    private static final int P2P_SUPPORTED = 0;
    private static final int PCI_INFO_BYTES = 68;
    private static final int LEGACY_BUS_ID_BYTES = 16;
    private static final int BUS_ID_AT = 36;
    private static final int FIELD_VALUE_BYTES = 40;
    private static final int FIELD_NVLINK_STATE = 165;
    private static final int FIELD_C2C_COUNT = 170;
    private static final int FIELD_C2C_STATUS = 171;
    private static final int FIELD_C2C_MEGABYTES = 172;
    /** struct nvmlProcessInfo_t: pid, bytes of memory, two numbers of a MIG instance. */
    private static final int PROCESS_BYTES = 24;
    private static final int MOST_PROCESSES = 64;

    private final NativeLibrary library;
    private final Pointer[] devices;

    private Nvml(NativeLibrary library) {
        this.library = library;
        int result = call("nvmlInit_v2");
        if (result != SUCCESS) {
            throw new UnsatisfiedLinkError(LIBRARY + " is there, but nvmlInit returned " + result);
        }
        IntByReference count = new IntByReference();
        devices = new Pointer[call("nvmlDeviceGetCount_v2", count) == SUCCESS ? count.getValue() : 0];
        for (int i = 0; i < devices.length; i++) {
            PointerByReference device = new PointerByReference();
            devices[i] = call("nvmlDeviceGetHandleByIndex_v2", i, device) == SUCCESS ? device.getValue() : null;
        }
    }

    /**
     * @param library a name or path, {@link #LIBRARY} except in tests
     * @throws UnsatisfiedLinkError if there is no such library, or no driver behind it
     */
    public static Nvml open(String library) {
        Jna.prepare();
        return new Nvml(NativeLibrary.getInstance(library));
    }

    /** Number of GPUs; indexes follow PCI addresses. */
    public int count() {
        return devices.length;
    }

    /** {@code 0000:1b:00.0}, or null. */
    public String busId(int gpu) {
        try (Memory info = new Memory(PCI_INFO_BYTES)) {
            info.clear();
            return ask("nvmlDeviceGetPciInfo_v3", gpu, info) ? busId(info) : null;
        }
    }

    /** 90 for compute capability 9.0, or -1. */
    public int computeCapability(int gpu) {
        IntByReference major = new IntByReference();
        IntByReference minor = new IntByReference();
        return ask("nvmlDeviceGetCudaComputeCapability", gpu, major, minor) ? 10 * major.getValue() + minor.getValue()
            : -1;
    }

    /** {@code NVIDIA H200}, or null. */
    public String name(int gpu) {
        try (Memory name = new Memory(96)) {
            name.clear();
            return ask("nvmlDeviceGetName", gpu, name, 96) ? name.getString(0) : null;
        }
    }

    /** Bytes, or -1. */
    public long memory(int gpu) {
        try (Memory info = new Memory(24)) {
            return ask("nvmlDeviceGetMemoryInfo", gpu, info) ? info.getLong(0) : -1;
        }
    }

    /** The PCIe generation that the GPU and its slot support, or -1. An idle GPU uses a lower one. */
    public int pcieGeneration(int gpu) {
        return number("nvmlDeviceGetMaxPcieLinkGeneration", gpu);
    }

    /** The PCIe lanes of the GPU and its slot, or -1. */
    public int pcieWidth(int gpu) {
        return number("nvmlDeviceGetMaxPcieLinkWidth", gpu);
    }

    /** Whether an NVLink is up and peers' memory can be reached by it. */
    public boolean nvLinkActive(int gpu, int link) {
        IntByReference able = new IntByReference();
        if (!ask("nvmlDeviceGetNvLinkCapability", gpu, link, P2P_SUPPORTED, able) || able.getValue() == 0) {
            return false;
        }
        int field = field(gpu, FIELD_NVLINK_STATE, link);
        if (field >= 0) {
            return field == 1;
        }
        IntByReference active = new IntByReference();
        return ask("nvmlDeviceGetNvLinkState", gpu, link, active) && active.getValue() == 1;
    }

    /**
     * The address of the device at an NVLink's other end: {@code 0000:1b:00.0}. Null if it is hidden from this machine,
     * as NVSwitches often are from virtual ones.
     */
    public String nvLinkPeer(int gpu, int link) {
        try (Memory info = new Memory(PCI_INFO_BYTES)) {
            info.clear();
            return ask("nvmlDeviceGetNvLinkRemotePciInfo_v2", gpu, link, info) ? busId(info) : null;
        }
    }

    /** Number of active links to the CPU's chip. */
    public int c2cLinks(int gpu) {
        int active = 0;
        for (int link = field(gpu, FIELD_C2C_COUNT, 0) - 1; link >= 0; link--) {
            active += field(gpu, FIELD_C2C_STATUS, link) == 1 ? 1 : 0;
        }
        return active;
    }

    /** MB/s of one link to the CPU's chip, or -1. */
    public int c2cMegabytes(int gpu) {
        return field(gpu, FIELD_C2C_MEGABYTES, 0);
    }

    /** The processes that have a CUDA context on a GPU, at most 64; null if the driver does not tell. */
    public int[] processes(int gpu) {
        IntByReference count = new IntByReference(MOST_PROCESSES);
        try (Memory infos = new Memory(MOST_PROCESSES * PROCESS_BYTES)) {
            infos.clear();
            if (!ask("nvmlDeviceGetComputeRunningProcesses_v3", gpu, count, infos)) {
                return null;
            }
            int[] processes = new int[Math.min(count.getValue(), MOST_PROCESSES)];
            for (int i = 0; i < processes.length; i++) {
                processes[i] = infos.getInt((long) i * PROCESS_BYTES);
            }
            return processes;
        }
    }

    @Override
    public void close() {
        call("nvmlShutdown");
    }

    int number(String function, int gpu) {
        IntByReference value = new IntByReference();
        return ask(function, gpu, value) ? value.getValue() : -1;
    }

    /** struct nvmlFieldValue_t: id, scope, time stamp, latency, type, result, value. */
    private int field(int gpu, int id, int scope) {
        try (Memory field = new Memory(FIELD_VALUE_BYTES)) {
            field.clear();
            field.setInt(0, id);
            field.setInt(4, scope);
            return ask("nvmlDeviceGetFieldValues", gpu, 1, field) && field.getInt(28) == SUCCESS ? field.getInt(32)
                : -1;
        }
    }

    private boolean ask(String function, int gpu, Object... arguments) {
        if (devices[gpu] == null) {
            return false;
        }
        Object[] all = new Object[arguments.length + 1];
        all[0] = devices[gpu];
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return call(function, all) == SUCCESS;
    }

    /** The result, or -1 if this library has no such function. */
    private int call(String function, Object... arguments) {
        Function found;
        try {
            found = library.getFunction(function);
        } catch (UnsatisfiedLinkError olderDriver) {
            return -1;
        }
        return found.invokeInt(arguments);
    }

    /** struct nvmlPciInfo_t: an old form of the address, five numbers, and the address with an 8-digit domain. */
    private static String busId(Memory info) {
        String text = info.getString(BUS_ID_AT);
        if (text.isEmpty()) {
            text = info.getString(0).substring(0, Math.min(LEGACY_BUS_ID_BYTES, info.getString(0).length()));
        }
        int colon = text.indexOf(':');
        if (colon < 1 || text.indexOf('.') < colon || text.startsWith("FFFFFFF") || text.startsWith("fffffff")) {
            return null;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.digit(text.charAt(i), 16) < 0 && text.charAt(i) != ':' && text.charAt(i) != '.') {
                return null; // some drivers leave garbage there for a hidden device
            }
        }
        String domain = Integer.toHexString(Integer.parseUnsignedInt(text.substring(0, colon), 16));
        return "0".repeat(Math.max(0, 4 - domain.length())) + domain
            + text.substring(colon).toLowerCase(java.util.Locale.ROOT);
    }
}
