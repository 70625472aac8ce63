package org.brigade.bootstrap.ports;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.Ports;
import org.brigade.process.Platform;
import org.brigade.select.Settings;

/** Ports as files. A port's name is its path behind {@code brigade:}. */
public final class FilePorts implements Ports {
    /** What the names of the users' folders begin with. */
    public static final String FOLDER = "brigade-ports-";

    private static final String SCHEME = "brigade:";
    private static final String PORT = "port-";
    private static final String NAME = "name-";

    private final PortFolder folder;
    /** Where the job's launcher looks for letters; null if it does not. */
    private final String door;
    /** Asked where there is no door; null in processes that are no ranks. */
    private final SpawnLauncher launcher;
    private final Set<String> opened = new HashSet<>();
    private final Set<String> published = new HashSet<>();
    private boolean hooked;

    /**
     * @param door the box of the job's launcher, in this folder; null if it has none
     * @param launcher takes its place then
     */
    public FilePorts(Path folder, String door, SpawnLauncher launcher) {
        this.folder = new PortFolder(folder);
        this.door = door;
        this.launcher = launcher;
    }

    /** This user's folder: where ranks share files, or where setting {@code ports} says. */
    public static Path ofThisUser() throws IOException {
        return ofThisUser(Settings.ofThisProcess().get("ports"));
    }

    /** The same where a process other than a rank has read the setting; null: it is not set. */
    public static Path ofThisUser(String chosen) throws IOException {
        Path place = chosen == null ? Platform.here().folder() : Path.of(chosen).toAbsolutePath();
        return place.resolve(FOLDER + Integer.toUnsignedString(Platform.here().user()));
    }

    /** Removes what processes have left in this user's folder that have ended. */
    public static void removeStale() {
        try {
            Path folder = ofThisUser();
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                new PortFolder(folder).removeStale();
            }
        } catch (IOException unreadable) {
            // Without /proc no job can have run.
        }
    }

    // ---- ports ----

    @Override
    public synchronized String open(String call) {
        hookUp();
        folder.removeStale();
        String box = PORT + PortFolder.number();
        try {
            folder.write(box, Letter.own(new byte[0]), true);
        } catch (IOException e) {
            throw unusable(call, folder, e);
        }
        opened.add(box);
        return SCHEME + folder.path().resolve(box);
    }

    @Override
    public synchronized void close(String call, String port) {
        Place place = place(call, port);
        if (!opened.remove(place.box)) {
            throw ErrorClass.PORT.in(call, "this process has not opened port " + port
                + ", or has closed it; the process that opens a port closes it");
        }
        end(place.box);
        folder.tidy();
    }

    private void end(String box) {
        folder.delete(box);
        folder.empty(box);
    }

    @Override
    public Visit visit(String call, String port, byte[] letter) {
        Place place = place(call, port);
        try {
            requireOpen(call, place, port);
            String name = place.box + PortFolder.LETTER + PortFolder.number();
            place.folder.write(name, Letter.own(letter), true);
            return new FileVisit(call, place, port, name);
        } catch (IOException e) {
            throw unusable(call, place.folder, e);
        }
    }

    /** A letter in a port's box. */
    private static final class FileVisit implements Visit {
        private final String call;
        private final Place place;
        private final String port;
        private final String name;
        private boolean answered;

        FileVisit(String call, Place place, String port, String name) {
            this.call = call;
            this.place = place;
            this.port = port;
            this.name = name;
        }

        @Override
        public byte[] answer() {
            try {
                // Asked before: a port may be closed as soon as it has answered.
                Letter owner = place.folder.read(place.box);
                Letter answer = place.folder.read(name + PortFolder.ANSWER);
                if (answer == null && (owner == null || owner.isStale())) {
                    throw closed(call, port);
                }
                answered = answer != null;
                return answered ? answer.words() : null;
            } catch (IOException e) {
                throw unusable(call, place.folder, e);
            }
        }

        @Override
        public void end() {
            place.folder.withdraw(name, answered);
            place.folder.tidy();
        }
    }

    @Override
    public Arrival next(String call, String port) {
        Place place = place(call, port);
        try {
            requireOpen(call, place, port);
            return FileArrival.take(place.folder, place.box);
        } catch (IOException e) {
            throw unusable(call, place.folder, e);
        }
    }

    private static void requireOpen(String call, Place place, String port) throws IOException {
        Letter owner = place.folder.read(place.box);
        if (owner == null || owner.isStale()) {
            if (owner != null) {
                place.folder.removeStale();
            }
            throw closed(call, port);
        }
    }

    private static MPIException closed(String call, String port) {
        return ErrorClass.PORT.in(call, "port " + port + " is closed, or its process has ended; open a port with"
            + " openPort, and keep it open until accept has returned");
    }

    /** Where a port is. */
    private record Place(PortFolder folder, String box) {
    }

    private Place place(String call, String port) {
        Path path = port != null && port.startsWith(SCHEME) ? path(port.substring(SCHEME.length())) : null;
        if (path == null || !path.isAbsolute() || path.getParent() == null
            || !path.getFileName().toString().startsWith(PORT)) {
            throw ErrorClass.PORT.in(call, (port == null ? "the port is null" : "'" + port + "' is not a port")
                + "; pass what openPort or lookupName has returned");
        }
        Path parent = path.getParent();
        return new Place(parent.equals(folder.path()) ? folder : new PortFolder(parent),
            path.getFileName().toString());
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException wrong) {
            return null;
        }
    }

    // ---- names ----

    @Override
    public synchronized void publish(String call, String service, String port) {
        hookUp();
        Place place = place(call, port);
        String name = name(service);
        try {
            requireOpen(call, place, port);
            Letter words = Letter.own(words(port, service));
            while (!folder.write(name, words, false)) {
                Letter other = folder.read(name);
                if (other != null && !other.isStale()) {
                    throw ErrorClass.SERVICE.in(call, "name '" + service + "' is published already, by process "
                        + other.owner().pid() + "; unpublish it first, or choose another name");
                }
                folder.delete(name);
            }
            published.add(name);
        } catch (IOException e) {
            throw unusable(call, folder, e);
        }
    }

    @Override
    public synchronized void unpublish(String call, String service, String port) {
        String name = name(service);
        Letter found = published(call, name);
        if (found == null || !port(found).equals(port)) {
            throw ErrorClass.SERVICE.in(call, "name '" + service + "' is not published for port " + port
                + "; pass the name and the port of publishName");
        }
        published.remove(name);
        folder.delete(name);
        folder.tidy();
    }

    @Override
    public String lookup(String call, String service) {
        Letter found = published(call, name(service));
        if (found == null) {
            throw ErrorClass.NAME.in(call, "no process of this user has published name '" + service
                + "' in " + folder.path() + "; call publishName first, and look the name up after that");
        }
        return port(found);
    }

    /** Null if the name is not published. */
    private Letter published(String call, String name) {
        try {
            Letter found = folder.read(name);
            if (found != null && found.isStale()) {
                folder.removeStale();
                return null;
            }
            return found;
        } catch (IOException e) {
            throw unusable(call, folder, e);
        }
    }

    private static byte[] words(String port, String service) {
        return (port + "\n" + service).getBytes(StandardCharsets.UTF_8);
    }

    private static String port(Letter published) {
        String words = new String(published.words(), StandardCharsets.UTF_8);
        return words.substring(0, Math.max(0, words.indexOf('\n')));
    }

    /** A name may have any characters and any length, and a file's name may not. */
    private static String name(String service) {
        try {
            StringBuilder name = new StringBuilder(NAME);
            for (byte each : MessageDigest.getInstance("SHA-256").digest(service.getBytes(StandardCharsets.UTF_8))) {
                name.append(Character.forDigit(each >> 4 & 15, 16)).append(Character.forDigit(each & 15, 16));
            }
            return name.toString();
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    // ---- the launcher ----

    @Override
    public void askLauncher(String call, byte[] letter) {
        try {
            String box = door == null ? launcher.box() : door;
            folder.write(box + PortFolder.LETTER + PortFolder.number(), Letter.own(letter), true);
        } catch (IOException e) {
            throw ErrorClass.SPAWN.in(call, "Brigade's launcher cannot be asked to start processes: " + e.getMessage());
        }
    }

    @Override
    public void requireLauncher(String call) {
        String why = door == null ? launcher.ended() : null;
        if (why != null) {
            throw ErrorClass.SPAWN.in(call, why);
        }
    }

    // ---- the end ----

    private void hookUp() {
        if (!hooked) {
            hooked = true;
            Runtime.getRuntime().addShutdownHook(new Thread(this::closeAll, "brigade-ports"));
        }
    }

    @Override
    public synchronized void closeAll() {
        for (String box : opened) {
            end(box);
        }
        for (String name : published) {
            folder.delete(name);
        }
        opened.clear();
        published.clear();
        folder.tidy();
    }

    @Override
    public void finished() {
        if (launcher != null) {
            launcher.finished();
        }
    }

    private static MPIException unusable(String call, PortFolder folder, IOException why) {
        return ErrorClass.PORT.in(call, "folder " + folder.path() + " cannot be used: " + why.getMessage()
            + "; set brigade.ports to a folder that only this user can write to, the same for all jobs");
    }
}
