package org.brigade.cli.shell;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.shell.ShellMessage.Invoke;
import org.brigade.cli.shell.ShellMessage.Load;
import org.brigade.cli.shell.ShellMessage.Look;
import org.brigade.cli.shell.ShellMessage.Quit;
import org.brigade.cli.shell.ShellMessage.Seen;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.engine.job.JobEnd;
import org.brigade.waiting.WaitReport;

/** The program of every rank of {@code brigade shell}: runs what the console sends. Its argument: the socket. */
public final class ShellRank {
    private static final LinkedBlockingQueue<ShellMessage> REQUESTS = new LinkedBlockingQueue<>();

    private ShellRank() {
    }

    /** Until the console says so; a snippet may call System.exit before. */
    public static void main(String[] arguments) throws MPIException, IOException, InterruptedException {
        String[] own = MPI.Init(arguments);
        System.setIn(InputStream.nullInputStream()); // rank 0's is the console's
        ShellChannel channel =
            new ShellChannel(SocketChannel.open(UnixDomainSocketAddress.of(Path.of(own[own.length - 1]))));
        int rank = MPI.COMM_WORLD.getRank();
        channel.send(new ShellMessage.Hello(rank, ProcessHandle.current().pid()));
        SentOutput out = new SentOutput(channel, false);
        SentOutput err = new SentOutput(channel, true);
        System.setOut(out.stream());
        System.setErr(err.stream());
        Thread receiver = new Thread(() -> receive(channel, rank), "lines of the console");
        receiver.setDaemon(true);
        receiver.start();
        serve(channel, out, err);
        if (!MPI.isFinalized()) {
            MPI.Finalize();
        }
        System.exit(0); // though snippets may have started threads
    }

    private static void serve(ShellChannel channel, SentOutput out, SentOutput err)
        throws IOException, InterruptedException {
        SnippetRunner runner = new SnippetRunner();
        for (ShellMessage request = REQUESTS.take(); !(request instanceof Quit); request = REQUESTS.take()) {
            if (request instanceof Load load) {
                runner.load(load);
            } else if (request instanceof Invoke invoke) {
                ShellMessage answer = runner.run(invoke);
                out.finish();
                err.finish();
                channel.send(answer);
            }
        }
    }

    /** Apart from the snippets, so that even a rank that waits in a call for ever notices the end of the session. */
    private static void receive(ShellChannel channel, int rank) {
        try {
            ShellMessage message = null;
            do {
                message = channel.receive();
                if (message instanceof Look look) {
                    WaitReport its = Diagnostics.waits();
                    channel.send(new Seen(look.look(), its.waited(rank), its.words(rank)));
                } else if (message != null) {
                    REQUESTS.add(message);
                }
            } while (message != null && !(message instanceof Quit));
            if (message != null) {
                return;
            }
        } catch (IOException e) {
            // The console has gone, which needs no words of this rank.
        } catch (RuntimeException | Error e) {
            e.printStackTrace(); // and nobody hears the console any more
        }
        Runtime.getRuntime().halt(JobEnd.VICTIM);
    }
}
