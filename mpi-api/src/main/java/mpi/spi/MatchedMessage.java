package mpi.spi;

/** A message that a matched probe has taken: only this object receives it. */
public interface MatchedMessage {
    /**
     * Receives the message; called once.
     *
     * @param buffer as for {@link Communicator#irecv}
     * @param call the user's call, for messages
     */
    Operation irecv(Object buffer, long offset, int count, TypeLayout type, String call);
}
