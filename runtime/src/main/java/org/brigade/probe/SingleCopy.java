package org.brigade.probe;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.brigade.nativ.BrigadeLibrary;
import org.brigade.nativ.Libc;
import org.brigade.nativ.ProcessMemory;
import org.brigade.select.Settings;
import org.brigade.setting.Portable;
import org.brigade.topology.system.SystemFiles;

/**
 * Whether the kernel lets a rank copy from another one. Tried on this process itself, as there is no other; what Yama
 * says of others is read.
 *
 * @param off whether the user has switched it off
 * @param refused why the kernel does not do it; null if it does
 * @param scope kernel.yama.ptrace_scope; empty without Yama
 * @param compiled whether ranks can permit each other, by the compiled library
 */
public record SingleCopy(boolean off, String refused, String scope, boolean compiled) {
    /** What is lost without it. */
    public static final String COST = "long messages between ranks of a node are copied twice";

    public static SingleCopy here() {
        boolean off = "never".equals(Settings.ofThisProcess().get("shm.loans"));
        return new SingleCopy(off, off ? null : tried(),
            new SystemFiles(Path.of("/")).text("proc/sys/kernel/yama/ptrace_scope"), BrigadeLibrary.LOADED);
    }

    private static String tried() {
        try {
            ByteBuffer from = ByteBuffer.allocateDirect(Long.BYTES).putLong(0, System.nanoTime());
            ByteBuffer to = ByteBuffer.allocateDirect(Long.BYTES);
            int failed = new ProcessMemory((int) ProcessHandle.current().pid()).read(Libc.address(from),
                Libc.address(to), Long.BYTES);
            return failed != 0 || to.getLong(0) != from.getLong(0)
                ? "the kernel refuses process_vm_readv (error " + failed + ")" : null;
        } catch (LinkageError e) {
            return Portable.ON ? Portable.WHY : e.getMessage();
        }
    }

    /** Whether Yama permits it between ranks of a user without privileges. */
    public boolean permitted() {
        return scope.isEmpty() || scope.equals("0") || scope.equals("1") && compiled;
    }

    public boolean available() {
        return !off && refused == null && permitted();
    }

    public String words() {
        return off ? "off (brigade.shm.loans=never)"
            : refused != null ? "not available: " + refused
                : permitted() ? "available (process_vm_readv, for long messages where it is faster)"
                    : "not available to ranks without privileges: kernel.yama.ptrace_scope is " + scope;
    }

    /** What to change, if it is not {@link #available}. */
    public String cure() {
        if (off) {
            return "leave out brigade.shm.loans";
        }
        if (Portable.ON) {
            return "run on Linux without brigade.portable";
        }
        if (refused != null) {
            return "in a container, permit the system call: docker --cap-add=SYS_PTRACE, or a seccomp profile with"
                + " process_vm_readv and process_vm_writev";
        }
        return scope.equals("1")
            ? "make Brigade's compiled library loadable (the line \"compiled code\"), by which ranks permit each other;"
                + " or sysctl kernel.yama.ptrace_scope=0"
            : "sysctl kernel.yama.ptrace_scope=1" + (scope.equals("3") ? " needs a new start of the kernel" : "");
    }
}
