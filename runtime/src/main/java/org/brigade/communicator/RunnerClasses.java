package org.brigade.communicator;

import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Runners;
import org.brigade.communicator.device.KernelRunner;
import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.execution.ScheduleRunner;
import org.brigade.communicator.network.NetworkRunner;
import org.brigade.communicator.straightline.CopyInCopyOutRunner;
import org.brigade.communicator.straightline.FlatPullRunner;
import org.brigade.communicator.straightline.FlatRunner;
import org.brigade.communicator.straightline.MovementAvoidingRunner;
import org.brigade.communicator.straightline.MulticastRunner;
import org.brigade.communicator.straightline.PartitionedRunner;
import org.brigade.communicator.straightline.PullRunner;
import org.brigade.communicator.straightline.SingleCopyRunner;

/** The classes of the runners that a communicator opens: for people who ask what would run a call. */
public final class RunnerClasses implements Runners<Class<? extends Runner>> {
    private RunnerClasses() {
    }

    /** The class that runs an algorithm's blocking calls. */
    public static Class<? extends Runner> of(Algorithm algorithm) {
        return algorithm.open(new RunnerClasses());
    }

    @Override
    public Class<? extends Runner> schedule() {
        return ScheduleRunner.class;
    }

    @Override
    public Class<? extends Runner> flat(Collective collective) {
        return FlatRunner.classOf(collective);
    }

    @Override
    public Class<? extends Runner> pull() {
        return PullRunner.class;
    }

    @Override
    public Class<? extends Runner> flatPull() {
        return FlatPullRunner.class;
    }

    @Override
    public Class<? extends Runner> singleCopy() {
        return SingleCopyRunner.class;
    }

    @Override
    public Class<? extends Runner> copyInCopyOut() {
        return CopyInCopyOutRunner.class;
    }

    @Override
    public Class<? extends Runner> movementAvoiding() {
        return MovementAvoidingRunner.class;
    }

    @Override
    public Class<? extends Runner> partitioned() {
        return PartitionedRunner.class;
    }

    @Override
    public Class<? extends Runner> multicast() {
        return MulticastRunner.class;
    }

    @Override
    public Class<? extends Runner> network() {
        return NetworkRunner.class;
    }

    @Override
    public Class<? extends Runner> kernel() {
        return KernelRunner.class;
    }
}
