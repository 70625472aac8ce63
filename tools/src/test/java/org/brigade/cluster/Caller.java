package org.brigade.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * {@code listen} answers each caller by as many bytes as it asks for, given in 4 KiB; {@code call HOST 4KIBS} says
 * "connected" or "no answer", and how many milliseconds the bytes took.
 */
final class Caller {
    private static final int PORT = 4711;

    private Caller() {
    }

    public static void main(String[] arguments) throws IOException {
        byte[] bytes = new byte[4096];
        if (arguments[0].equals("listen")) {
            try (ServerSocket server = new ServerSocket(PORT)) {
                System.out.println("listening");
                while (true) {
                    try (Socket caller = server.accept()) {
                        for (int left = caller.getInputStream().read() * 16; left > 0; left--) {
                            caller.getOutputStream().write(bytes);
                        }
                    }
                }
            }
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(arguments[1], PORT), 1000);
            long begin = System.nanoTime();
            socket.getOutputStream().write(Integer.parseInt(arguments[2]) / 16);
            InputStream in = socket.getInputStream();
            long total = 0;
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                total += n;
            }
            System.out.println("connected " + total + " " + (System.nanoTime() - begin) / 1_000_000);
        } catch (SocketTimeoutException e) {
            System.out.println("no answer");
        }
    }
}
