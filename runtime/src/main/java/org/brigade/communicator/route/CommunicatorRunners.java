package org.brigade.communicator.route;

import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Runners;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.communicator.execution.PlanRunner;
import org.brigade.communicator.execution.Plans;
import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.execution.ScheduleRunner;
import org.brigade.communicator.network.NetworkLine;
import org.brigade.communicator.network.NetworkReduction;
import org.brigade.communicator.network.NetworkRunner;
import org.brigade.communicator.straightline.CopyInCopyOutRunner;
import org.brigade.communicator.straightline.FlatPullRunner;
import org.brigade.communicator.straightline.FlatRunner;
import org.brigade.communicator.straightline.LentBlocksRunner;
import org.brigade.communicator.straightline.MovementAvoidingRunner;
import org.brigade.communicator.straightline.MulticastRunner;
import org.brigade.communicator.straightline.NodeBuffer;
import org.brigade.communicator.straightline.PartitionedRunner;
import org.brigade.communicator.straightline.PullRunner;
import org.brigade.communicator.straightline.SingleCopyRunner;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Choice;

/**
 * Opens the runners of one communicator's calls on host memory. Runners that hold something of all members are made
 * once, when a route first needs them. Under the progress lock.
 */
final class CommunicatorRunners {
    final PlanRunner schedules;
    private final Progress progress;
    private final Membership membership;
    private final CallSequence sequence;
    private final CombinerCache combiners;
    private final Agreement agreement;
    private final Plans plans;
    private final FlatCollectives flat;
    /** Null if no network reduces between the nodes. */
    final NetworkLine network;
    // Null before they are first used.
    private FlatRunner.Shared flats;
    private PullRunner pull;
    private SingleCopyRunner singleCopy;
    private LentBlocksRunner lentBlocks;
    private MulticastRunner multicast;
    private NodeBuffer buffer;

    /**
     * @param flat the messages of this communicator
     * @param between the network that reduces between the nodes; null if there is none
     */
    CommunicatorRunners(Progress progress, Membership membership, FlatCollectives flat, CallSequence sequence,
        CombinerCache combiners, CursorPool cursors, Agreement agreement, NetworkReduction between, Plans plans) {
        this.progress = progress;
        this.membership = membership;
        this.sequence = sequence;
        this.combiners = combiners;
        this.agreement = agreement;
        this.plans = plans;
        schedules = new PlanRunner(progress, cursors, combiners, plans);
        this.flat = flat;
        network = between == null ? null
            : new NetworkLine(between, progress, agreement, cursors, combiners, sequence, plans);
    }

    /**
     * Opens the route of a choice.
     *
     * @param wires by which it was made
     * @param byScheduleOnly whether an algorithm that does not fall back on its schedule runs by it all the same
     */
    CallRoute open(Choice choice, Collective collective, CommunicatorTopology wires, boolean byScheduleOnly) {
        Algorithm algorithm = choice.algorithm();
        ScheduleRunner schedule = new ScheduleRunner(schedules, choice, collective, wires);
        return new CallRoute(choice,
            byScheduleOnly && !algorithm.fallsBackOnSchedule() ? schedule
                : algorithm.open(new Opening(schedule, choice.isForced())),
            schedule, progress.recorder.algorithm(algorithm.name()));
    }

    private PullRunner pull() {
        if (pull == null) {
            pull = new PullRunner(progress, membership, flat, combiners, agreement, sequence, schedules);
        }
        return pull;
    }

    private NodeBuffer buffer() {
        if (buffer == null) {
            buffer = new NodeBuffer(progress, membership, flat, agreement, sequence);
        }
        return buffer;
    }

    /** Called when the communicator is freed: no more calls begin. */
    void end() {
        if (pull != null) {
            pull.end();
        }
        if (multicast != null) {
            multicast.end();
        }
        if (buffer != null) {
            buffer.end();
        }
        if (network != null) {
            network.free();
        }
    }

    /** Opens the runner of one choice. */
    private final class Opening implements Runners<Runner> {
        private final ScheduleRunner schedule;
        private final boolean forced;

        Opening(ScheduleRunner schedule, boolean forced) {
            this.schedule = schedule;
            this.forced = forced;
        }

        @Override
        public Runner schedule() {
            return schedule;
        }

        @Override
        public Runner flat(Collective collective) {
            if (flats == null) {
                flats = new FlatRunner.Shared(progress, membership, flat, combiners, schedules);
            }
            return FlatRunner.of(collective, flats);
        }

        @Override
        public Runner pull() {
            return CommunicatorRunners.this.pull();
        }

        @Override
        public Runner flatPull() {
            return new FlatPullRunner(CommunicatorRunners.this.pull());
        }

        @Override
        public Runner singleCopy() {
            if (singleCopy == null) {
                singleCopy = new SingleCopyRunner(progress, membership, CommunicatorRunners.this.pull(), agreement,
                    sequence);
                lentBlocks = new LentBlocksRunner(singleCopy);
            }
            return forced ? singleCopy : lentBlocks;
        }

        @Override
        public Runner copyInCopyOut() {
            return new CopyInCopyOutRunner(buffer(), combiners, schedules);
        }

        @Override
        public Runner movementAvoiding() {
            return new MovementAvoidingRunner(buffer(), combiners, schedules);
        }

        @Override
        public Runner partitioned() {
            return new PartitionedRunner(buffer(), combiners, schedules);
        }

        @Override
        public Runner multicast() {
            if (multicast == null) {
                multicast = new MulticastRunner(progress, membership, flat, agreement, sequence, plans, schedules);
            }
            return multicast;
        }

        @Override
        public Runner network() {
            return new NetworkRunner(network, schedule);
        }

        @Override
        public Runner kernel() {
            throw new IllegalStateException(schedule + " is for device memory");
        }
    }
}
