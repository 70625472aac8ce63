package org.brigade.cli.profile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.brigade.select.MemorySpace;
import org.brigade.topology.search.Mover;

/**
 * The task of the ranks of {@code brigade profile}; each rank is the worker of one device.
 *
 * @param movers what moves the data of GPUs; of host memory a core, {@link Mover#MEMCPY}
 * @param devices GPUs as the driver counts them, or processors
 * @param bytes of each transfer
 * @param timed iterations of each measurement
 * @param seconds after which no measurement begins
 * @param out the profile's file
 */
record ProfilePlan(MemorySpace space, List<Mover> movers, List<Integer> devices, int bytes, int timed, double seconds,
    Path out, Path recording, boolean keepRecording) {
    /** More would take years. */
    static final int MOST_DEVICES = 16;

    /** As arguments of the ranks' program. */
    List<String> arguments() {
        StringBuilder list = new StringBuilder();
        for (int device : devices) {
            list.append(list.isEmpty() ? "" : ",").append(device);
        }
        return List.of(space.name(), list.toString(), Integer.toString(bytes), Integer.toString(timed),
            Double.toString(seconds), out.toString(), recording.toString(),
            Boolean.toString(keepRecording), movers.stream().map(Mover::name).collect(Collectors.joining(",")));
    }

    static ProfilePlan of(String[] arguments) {
        return new ProfilePlan(MemorySpace.valueOf(arguments[0]),
            Stream.of(arguments[8].split(",")).map(Mover::valueOf).toList(), devices(arguments[1]),
            Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]),
            Double.parseDouble(arguments[4]), Path.of(arguments[5]), Path.of(arguments[6]),
            Boolean.parseBoolean(arguments[7]));
    }

    /** {@code kernel,copy-engine}. @throws IllegalArgumentException with the cure if it is no such list */
    static List<Mover> movers(String list) {
        List<Mover> movers = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            Mover mover = switch (part.strip()) {
                case "kernel" -> Mover.KERNEL;
                case "copy-engine" -> Mover.MEMCPY;
                default -> null;
            };
            if (mover == null || movers.contains(mover)) {
                throw new IllegalArgumentException(
                    "--movers '" + list + "': write copy-engine, kernel, or both with a comma between them");
            }
            movers.add(mover);
        }
        return movers;
    }

    /** {@code 0,2,3}. @throws IllegalArgumentException with the cure if it is no such list */
    static List<Integer> devices(String list) {
        List<Integer> devices = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            if (!part.strip().matches("\\d{1,4}") || devices.contains(Integer.parseInt(part.strip()))) {
                throw new IllegalArgumentException(
                    "'" + list + "' is not a list of different numbers; write for example 0,1,3");
            }
            devices.add(Integer.parseInt(part.strip()));
        }
        if (devices.size() < 2 || devices.size() > MOST_DEVICES) {
            throw new IllegalArgumentException(
                "'" + list + "' names " + devices.size() + (devices.size() == 1 ? " device" : " devices")
                    + "; name 2 to " + MOST_DEVICES + ", as paths are between them");
        }
        return devices;
    }
}
