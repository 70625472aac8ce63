package org.brigade.communicator;

import java.nio.ByteBuffer;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;
import mpi.spi.Operation;
import mpi.spi.Provider;
import mpi.spi.Providers;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import mpi.spi.interpose.Interposers;
import org.brigade.bootstrap.Bootstrap;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.bootstrap.Ports;
import org.brigade.bootstrap.Processors;
import org.brigade.communicator.call.CallCounts;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.device.Devices;
import org.brigade.engine.Progress;
import org.brigade.engine.job.EndOnUncaught;
import org.brigade.engine.job.JobEnd;
import org.brigade.engine.job.LauncherWatch;
import org.brigade.engine.job.StallWatch;
import org.brigade.interrupt.LingerWatch;
import org.brigade.memory.Region;
import org.brigade.op.LocalCopy;
import org.brigade.probe.CompiledCode;
import org.brigade.probe.SingleCopy;
import org.brigade.recording.CallRecording;
import org.brigade.management.RankBeans;
import org.brigade.report.JobReport;
import org.brigade.report.Report;
import org.brigade.select.Settings;
import org.brigade.topology.Place;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.FlightRecorder;

/** Brigade below package {@code mpi}: finds the job, opens the transport, makes the first communicators. */
public final class BrigadeProvider implements Provider {
    private static final int SELF_CONTEXT = 2;

    // Set by Init.
    private LinkedJob job;
    private IntraCommunicator world;
    private IntraCommunicator self;
    private InterCommunicator parent;
    /** What found the job; null where ranks are threads. */
    private Bootstrap bootstrap;
    /** What consoles read of this rank; null unless they are to. */
    private AutoCloseable bean;

    static {
        Providers.register(new BrigadeProvider());
    }

    @Override
    public void init() {
        try {
            join();
        } catch (LinkageError missing) {
            MPIException error = ErrorClass.OTHER.in("Init", "a class cannot be loaded (" + missing
                + "); let the process open more files (ulimit -n), or check that the jars on its class path are whole");
            error.initCause(missing);
            throw error;
        }
    }

    private void join() {
        Settings settings = Settings.ofThisProcess();
        String missing = CallRecording.missing();
        if (missing != null) {
            throw ErrorClass.OTHER.in("Init", missing);
        }
        JobOpening opening = new JobOpening(settings);
        bootstrap = opening.bootstrap;
        Endpoint opened = opening.endpoint;
        Job its = opening.job;
        start(new LinkedJob(bootstrap, its, opened, opening.cores, settings.isOn("check"), null, null, opening.tuned));
        if (its.onOneNode()) {
            JobOpening.compareSettings(settings, job.progress(), world.ranks(), job.selector().table().fingerprint());
        }
        if (CallRecording.ON) {
            Interposers.add(CallRecorder.of(job, its.key(), its.rank(), its.size()));
        }
        EndOnUncaught.install(opened);
        LauncherWatch.start(opened);
        if ("on".equals(settings.get("jmx"))) {
            bean = RankBeans.register(opened, job.progress().recorder);
        }
        Diagnostics.joined(opened);
        StallWatch.start(opened, job.progress().recorder, "rank of this job");
        job.reportWaiting("");
        String level = settings.get("report");
        if (level != null && !level.equals("off") && its.rank() == 0) {
            tell(settings, opening);
        }
        String port = bootstrap.parentPort();
        if (port != null) {
            parent = world.meet("Init", port, false, 0, null);
            parent.rename("MPI_COMM_PARENT");
        }
    }

    private void tell(Settings settings, JobOpening opening) {
        JobReport report = new JobReport(settings, opening.job);
        report.joined(opening.endpoint);
        report.copies(CompiledCode.here(), SingleCopy.here());
        report.processors(opening.machine, opening.cores, Processors.ofThisThread() + OtherThreads.words(),
            job.progress().waiting().toString());
        report.algorithms(job.selector().table(job.wires().known(job.ranks())), opening.tuned, job.wires().profile());
        report.classes();
        System.err.print(report);
    }

    private void tellWhatRan() {
        Report report = new Report("collectives of rank 0 until Finalize (brigade.report=debug)");
        CallCounts.tell(report);
        Devices gpus = job.devices().devicesSoFar();
        if (gpus != null) {
            gpus.describe().forEach(each -> report.line("device memory", each));
        }
        System.err.print(report);
    }

    /**
     * Starts on an open endpoint. Tests that run ranks as threads start here.
     *
     * @param cores whether this rank has a processor to itself
     * @param checks whether each collective call is first compared with the other ranks' calls
     */
    public void start(Endpoint opened, CoreShare cores, boolean checks) {
        start(opened, cores, checks, null, null);
    }

    /**
     * As above.
     *
     * @param given devices in place of this process's, or null
     * @param place in place of where this process runs, or null
     */
    public void start(Endpoint opened, CoreShare cores, boolean checks, Devices given, Place place) {
        start(new LinkedJob(null, null, opened, cores, checks, given, place, null));
    }

    private void start(LinkedJob opened) {
        job = opened;
        world = IntraCommunicator.world(job);
        self = new IntraCommunicator(job, SELF_CONTEXT, 0, new int[] {job.endpoint().rank()}, "MPI_COMM_SELF", false);
    }

    /** The job that {@link #start} has joined. */
    public LinkedJob job() {
        return job;
    }

    @Override
    public Ports ports() {
        return job.ports();
    }

    @Override
    public InterCommunicator parent() {
        return parent;
    }

    @Override
    public int applicationNumber() {
        return bootstrap == null ? 0 : bootstrap.applicationNumber();
    }

    @Override
    public int universeSize() {
        int size = job.endpoint().size();
        return bootstrap != null ? Math.max(size, Runtime.getRuntime().availableProcessors()) : size;
    }

    // ---- Provider ----

    @Override
    public void finish() {
        Progress progress = job.progress();
        progress.lock.lock();
        progress.recorder.begins(FlightRecorder.FINALIZE, 0, FlightRecorder.NOBODY, 0);
        progress.lock.unlock();
        detachBuffer();
        if (CallCounts.ON && job.endpoint().rank() == 0) {
            tellWhatRan();
        }
        new JobFinish(job, world, bean).run();
        if (bootstrap != null) {
            LingerWatch.start(job.endpoint().rank(), job.endpoint().size());
        }
    }

    @Override
    public void abort(int code, String why) {
        JobEnd.abort(job.endpoint(), code, why);
    }

    @Override
    public IntraCommunicator world() {
        return world;
    }

    @Override
    public Communicator self() {
        return self;
    }

    @Override
    public void attachBuffer(long bytes) {
        job.attachBuffer(bytes);
        if (job.joinedSoFar() != null) {
            job.joinedSoFar().attachBuffer(bytes);
        }
    }

    @Override
    public void detachBuffer() {
        job.detachBuffer();
        if (job.joinedSoFar() != null) {
            job.joinedSoFar().detachBuffer();
        }
    }

    @Override
    public int awaitAny(Operation[] operations, int n) {
        return WaitAny.of(job.progress(), operations, n);
    }

    @Override
    public void reduceLocal(Object in, long inOffset, Object inout, long inoutOffset, int count, TypeLayout type,
        Reduction op) {
        Progress progress = job.progress();
        progress.lock.lock();
        try {
            new LocalCopy().reduce(job.combiners().of(type, op).incomingFirst(), new Region().wrap(inout, inoutOffset),
                0,
                new Region().wrap(in, inOffset), 0, (long) count * type.extent);
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public Object underlying(Object buffer) {
        Devices ours = job.devices().devices();
        if (ours == null && buffer != null && buffer.getClass().getName().startsWith("jcuda.")) {
            throw new IllegalArgumentException("is a " + buffer.getClass().getName()
                + ", but brigade-cuda.jar is not on the class path; put it beside brigade.jar (Maven:"
                + " org.brigade:brigade-cuda)");
        }
        return ours == null ? null : ours.underlying(buffer);
    }

    @Override
    public ByteBuffer mappable(int bytes) {
        return job.progress().mappable.make(bytes);
    }

    @Override
    public String setting(String name) {
        return Settings.ofThisProcess().get(name);
    }

    @Override
    public long limit(String name) {
        return Settings.ofThisProcess().number(name);
    }

    @Override
    public String processorName() {
        return HostName.get();
    }
}
