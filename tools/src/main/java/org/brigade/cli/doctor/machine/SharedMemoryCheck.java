package org.brigade.cli.doctor.machine;

import java.util.Set;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.probe.SharedMemory;
import org.brigade.transport.shm.SegmentDescriptor;

/**
 * /dev/shm, through which ranks of a node exchange all messages.
 *
 * @param ranks that this machine is for: one a processor, 2 or more
 */
public record SharedMemoryCheck(SharedMemory found, int ranks) implements Check {
    private static final String NAME = "/dev/shm";
    private static final String NO_JOB = "no job of two ranks can run: they exchange messages through it";
    private static final String LARGER =
        "make it larger (mount -o remount,size=1g /dev/shm; docker --shm-size=1g; in Kubernetes a volume emptyDir with"
            + " medium: Memory)";

    @Override
    public Diagnosis diagnosis() {
        if (found.missing() != null) {
            return Diagnosis.blocks(NAME, found.words(), NO_JOB, "mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm");
        }
        if (!found.writable()) {
            boolean readOnly = found.options().contains("ro");
            return Diagnosis.blocks(NAME, found.words(), NO_JOB,
                readOnly ? "mount -o remount,rw /dev/shm" : "chmod 1777 /dev/shm");
        }
        long fewest = SegmentDescriptor.smallest(2).bytes();
        if (found.free() < fewest) {
            return Diagnosis.blocks(NAME, found.words() + "; two ranks need " + kibibytes(fewest) + " KiB", NO_JOB,
                "remove files there that nobody needs, or " + LARGER);
        }
        long need = SegmentDescriptor.forRanks(ranks).bytes();
        String job = "a job of " + ranks + " ranks takes " + mebibytes(need) + " MiB";
        if (found.free() < need) {
            long least = SegmentDescriptor.smallest(ranks).bytes();
            return Diagnosis.costs(NAME, found.words() + "; " + job,
                "such a job ends in Init with an error, and so do large windows",
                LARGER + (least <= found.free()
                    ? "; or set brigade.shm.segment=" + kibibytes(least) + "K: then messages over 64 KiB are slower"
                    : ""));
        }
        if (!Set.of("tmpfs", "ramfs", "hugetlbfs").contains(found.type())) {
            return Diagnosis.costs(NAME, found.words(),
                "the kernel may write the messages to a disk, and reads of a page may wait for it",
                "mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm");
        }
        return Diagnosis.good(NAME, found.words() + "; " + job
            + (found.options().contains("noexec") ? "; noexec does no harm here" : ""));
    }

    private static long kibibytes(long bytes) {
        return (bytes + 1023) / 1024;
    }

    private static long mebibytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }
}
