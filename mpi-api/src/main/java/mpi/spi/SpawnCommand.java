package mpi.spi;

import java.util.List;

/**
 * What a spawn starts.
 *
 * @param command {@code java}, a path, or the name of a class
 * @param processes how many, 0 or more
 * @param directory where they run; empty: where the job's launcher runs its processes
 */
public record SpawnCommand(String command, List<String> arguments, int processes, String directory) {
}
