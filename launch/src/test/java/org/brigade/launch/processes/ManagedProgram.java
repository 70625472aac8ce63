package org.brigade.launch.processes;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import mpi.MPI;

/** Rank 0 waits until another of its threads has read in its bean that it does. */
public final class ManagedProgram {
    private ManagedProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.InitThread(arguments, MPI.THREAD_MULTIPLE);
        int rank = MPI.COMM_WORLD.getRank();
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.brigade:type=Rank,rank=" + rank);
        if (rank == 0) {
            Thread console = new Thread(() -> watch(beans, name));
            console.start();
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 5);
            console.join();
        } else {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 0, 7);
            MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 0, 5);
            System.out.println("rank 1 is " + beans.getAttribute(name, "NewestCall") + ", bytes "
                + beans.getAttribute(name, "NewestBytes") + ", calls " + beans.getAttribute(name, "Calls"));
        }
        MPI.Finalize();
        System.out.println("registered: " + beans.isRegistered(name));
    }

    private static void watch(MBeanServer beans, ObjectName name) {
        try {
            String waiting = "";
            while (!waiting.contains(" in recv ")) { // Init may have waited, too
                waiting = (String) beans.getAttribute(name, "WaitingFor");
                Thread.sleep(10);
            }
            System.out.println("rank 0 " + waiting);
            MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, 1, 7);
        } catch (Exception wrong) {
            wrong.printStackTrace();
            Runtime.getRuntime().halt(3);
        }
    }
}
