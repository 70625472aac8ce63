package org.brigade.cli.profile;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.device.CudaTransferWorker;
import org.brigade.profile.HostMachine;
import org.brigade.profile.HostWorker;
import org.brigade.profile.MachineLayout;
import org.brigade.profile.TransferPool;
import org.brigade.select.MemorySpace;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.search.IsomorphismCache;
import org.brigade.topology.search.Mover;
import org.brigade.topology.search.PathSearch;
import org.brigade.topology.search.ProfileSearch;
import org.brigade.topology.search.TransferSet;
import org.brigade.topology.search.TransferWorker;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaInventory;

/**
 * What every rank of {@code brigade profile} runs: rank 0 searches and says what to measure, all ranks move data. Rank
 * 0 prints lines {@code progress MEASURED EXPECTED}, which the command shows as a bar, and other lines for people.
 */
public final class ProfileRank {
    private static final int WARM = 1;
    /** Paths whose bandwidths differ by less count as equal. */
    private static final double TOLERANCE = 0.03;
    private final ProfilePlan plan;
    private final HostMachine machine = new HostMachine();
    private final NodeLayout layout;
    private final List<String> names = new ArrayList<>();
    private final MachineFingerprint here = MachineFingerprint.here();

    private ProfileRank(ProfilePlan plan) {
        this.plan = plan;
        if (plan.space() == MemorySpace.HOST) {
            plan.devices().forEach(processor -> names.add("cpu" + processor));
            layout = MachineLayout.ofProcessors(machine, plan.devices());
        } else {
            String missing = CudaDriver.missing();
            if (missing != null) {
                throw new IllegalStateException("no device memory: " + missing);
            }
            plan.devices().forEach(gpu -> names.add(CudaInventory.busId(gpu)));
            int count = names.size();
            boolean[][] reach = new boolean[count][count];
            String[][] links = new String[count][count];
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < count; j++) {
                    reach[i][j] = i != j && CudaInventory.reaches(plan.devices().get(i), plan.devices().get(j));
                    links[i][j] = i == j ? "" : CudaInventory.link(plan.devices().get(i), plan.devices().get(j));
                }
            }
            layout = MachineLayout.ofGpus(machine, names, reach, links);
        }
    }

    /** Arguments: those of {@link ProfilePlan}; one rank for each device. */
    public static void main(String[] arguments) throws MPIException, IOException {
        MPI.Init(arguments);
        try {
            run(arguments);
        } catch (TopologyException e) {
            System.err.println("brigade profile: " + e.getMessage()); // a wrong file needs no stack trace
            System.exit(1);
        }
        MPI.Finalize();
    }

    private static void run(String[] arguments) throws MPIException, IOException {
        ProfilePlan plan = ProfilePlan.of(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        if (world.getSize() != plan.devices().size()) {
            throw new IllegalArgumentException(
                world.getSize() + " ranks for " + plan.devices().size() + " devices; start one for each");
        }
        ProfileRank profile = new ProfileRank(plan);
        try (TransferWorker worker = profile.worker(world)) {
            TransferPool pool = new TransferPool(world, worker, plan.bytes(), WARM, plan.timed());
            if (rank == 0) {
                profile.search(pool);
                pool.end();
            } else {
                pool.serve();
            }
            profile.honest(world, worker);
            world.barrier();
        }
    }

    private TransferWorker worker(Intracomm world) throws MPIException, IOException {
        int device = plan.devices().get(world.getRank());
        return plan.space() == MemorySpace.HOST
            ? new HostWorker(world, machine, device, plan.bytes())
            : new CudaTransferWorker(world, machine, device, plan.bytes());
    }

    private void search(TransferPool pool) throws IOException {
        List<Integer> masks = ProfileSearch.sets(layout.gpus(), 2);
        List<Mover> movers = plan.movers();
        Mover mover = movers.get(0);
        int expected = ProfileSearch.expected(layout, movers, TOLERANCE, masks);
        PathProfile.Origin origin = new PathProfile.Origin(here, LocalDate.now().toString(),
            plan.space().name().toLowerCase(Locale.ROOT), plan.bytes(), names);
        try (Measurements measurements =
            new Measurements(plan.recording(), conditions(), pool, plan.seconds(), expected, System.out::println)) {
            measurements.estimate(layout.peers()[0][1] && layout.peers()[1][0]
                ? TransferSet.of(mover.write(0, 1), mover.write(1, 0))
                : TransferSet.of(mover.toHost(0, 0), mover.fromHost(0, 1)));
            IsomorphismCache cache = measurements.cache(layout);
            ProfileSearch search =
                new ProfileSearch(layout, new PathSearch(layout, cache, movers, TOLERANCE, measurements::warn), origin);
            int done = 0;
            try {
                for (int mask : masks) {
                    search.within(mask);
                    done++;
                }
            } catch (Measurements.OutOfTime e) {
                // what has been found is kept
            }
            measurements.finish();
            if (done == 0) {
                measurements.nothing();
                return;
            }
            finish(search.profile(), masks.size(), done, cache.measurements());
            if (done == masks.size() && !plan.keepRecording()) {
                measurements.remove();
            }
        }
    }

    /** Everything that makes measurements comparable. */
    private String conditions() {
        return "host " + here.host() + ", " + here.cpu() + ", driver "
            + (here.driver().isEmpty() ? "none" : here.driver()) + ", " + plan.space().name().toLowerCase(Locale.ROOT)
            + " " + String.join(" ", names) + ", " + plan.bytes() + " bytes, " + plan.timed() + " times";
    }

    private void finish(PathProfile profile, int sets, int done, int measured) throws IOException {
        MeasuredPath ring = profile.ring(layout.allGpus());
        System.out.println("fastest ring: " + words(ring));
        for (int start = 0; start < layout.gpus(); start++) {
            System.out.println(
                "fastest chain from " + names.get(start) + ": " + words(profile.chain(layout.allGpus(), start)));
        }
        try {
            ProfileXml.write(profile, plan.out());
        } catch (IOException e) {
            throw new TopologyException(plan.out() + ": cannot be written: " + e + "; give another file with --out", e);
        }
        System.out.println(plan.out() + ": paths for " + done + " of " + sets + " sets of devices, " + measured
            + " sets of transfers measured"
            + (done == sets ? "" : "; run again to continue from " + plan.recording()));
    }

    /** {@code 9.84 GB/s by cpu0 cpu3 cpu1: ...}. */
    private String words(MeasuredPath path) {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%.2f GB/s by", path.bandwidth() / 1e9));
        for (int device : path.gpus()) {
            text.append(' ').append(names.get(device));
        }
        String separator = ": ";
        for (Transfer transfer : path.body()) {
            text.append(separator).append(transfer);
            separator = ", ";
        }
        return text.toString();
    }

    /** Says what was not measured, or not reliably. Collective. */
    private void honest(Intracomm world, TransferWorker worker) throws MPIException {
        boolean placed = worker instanceof HostWorker host ? host.placed() : ((CudaTransferWorker) worker).placed();
        boolean pinned = !(worker instanceof HostWorker host) || host.pinned();
        int[] all = new int[2];
        world.allReduce(new int[] {placed ? 1 : 0, pinned ? 1 : 0}, all, 2, MPI.INT, MPI.MIN);
        if (world.getRank() == 0) {
            if (all[0] == 0) {
                System.out.println(
                    "not sure: some bounce memory is not on the intended NUMA node; the node may be full, or"
                        + " threads may not be allowed to run there");
            }
            if (all[1] == 0) {
                System.out
                    .println("not sure: the system does not let ranks stay on their processors, so they ran anywhere");
            }
            if (machine.numaNodes() == 1) {
                System.out.println("not measured: where bounce buffers lie, as this machine has one NUMA node");
            }
            System.out.println("not measured: transfers between nodes" + (plan.space() == MemorySpace.HOST ? ", GPUs"
                : plan.movers().size() > 1 ? ""
                    : plan.movers().contains(Mover.KERNEL) ? ", copies by copy engines (kernels moved the data)"
                        : ", copies by kernels (copy engines moved the data)"));
        }
    }
}
