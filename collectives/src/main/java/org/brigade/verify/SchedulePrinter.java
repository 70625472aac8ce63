package org.brigade.verify;

import java.util.List;
import org.brigade.schedule.Await;
import org.brigade.schedule.Lane;
import org.brigade.schedule.Loop;
import org.brigade.schedule.Node;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.Step;

/** A schedule as text, one step a line, loops folded, waits at the end of the line. */
public final class SchedulePrinter {
    private SchedulePrinter() {
    }

    public static String print(Schedule schedule) {
        StringBuilder text = new StringBuilder();
        text.append(schedule.geometry().collective().key()).append('/').append(schedule.algorithm()).append(", rank ")
            .append(schedule.geometry().rank()).append(" of ").append(schedule.geometry().ranks());
        if (schedule.geometry().collective().rooted) {
            text.append(", root ").append(schedule.geometry().root());
        }
        if (schedule.geometry().inPlace()) {
            text.append(", in place");
        }
        text.append(": ").append(schedule.steps()).append(" steps");
        if (schedule.blocks() > 1) {
            text.append(", vector in ").append(schedule.blocks()).append(" blocks");
        }
        if (schedule.areas() > 0) {
            text.append(", ").append(schedule.areas()).append(schedule.areas() == 1 ? " area" : " areas")
                .append(" of scratch");
        }
        text.append('\n');
        for (Lane lane : schedule.lanes()) {
            if (!lane.body().isEmpty()) {
                text.append("  lane ").append(lane.name()).append('\n');
                print(lane.body(), "    ", text);
            }
        }
        return text.toString();
    }

    private static void print(List<Node> body, String indent, StringBuilder text) {
        for (Node node : body) {
            text.append(indent);
            if (node instanceof Loop loop) {
                text.append(loop.overWindows() ? "for every window" : "for i = 0 to " + (loop.rounds() - 1))
                    .append('\n');
                print(loop.body(), indent + "  ", text);
            } else {
                print((Step) node, text);
                text.append('\n');
            }
        }
    }

    private static void print(Step step, StringBuilder text) {
        text.append(step.id()).append(": ");
        switch (step.opcode()) {
            case SEND :
                text.append("send ").append(step.source() == null ? "signal" : step.source()).append(" to ")
                    .append(step.peer());
                break;
            case RECV :
                text.append("receive ").append(step.target() == null ? "signal" : step.target()).append(" from ")
                    .append(step.peer());
                break;
            case RECV_REDUCE :
                text.append(step.target()).append(" = ");
                sum("message from " + step.peer(), step.source().toString(), step.incomingFirst(), text);
                break;
            case COPY :
                text.append(step.target()).append(" = ").append(step.source());
                break;
            case REDUCE :
                text.append(step.target()).append(" = ");
                sum(step.source().toString(), step.target().toString(), step.incomingFirst(), text);
                break;
        }
        for (Await await : step.awaits()) {
            text.append(await == step.awaits().get(0) ? "   after " : ", ").append(await.step());
            if (await.all()) {
                text.append(" for the last time");
            } else if (await.distance() > 0) {
                text.append(" in round i-").append(await.distance());
            }
        }
    }

    private static void sum(String incoming, String operand, boolean incomingFirst, StringBuilder text) {
        text.append(incomingFirst ? incoming : operand).append(" op ").append(incomingFirst ? operand : incoming);
    }
}
