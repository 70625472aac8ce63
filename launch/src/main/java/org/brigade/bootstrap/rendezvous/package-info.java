/**
 * How ranks that anything has started find each other: rank 0 listens, the others connect to it. See
 * {@link org.brigade.bootstrap.rendezvous.SocketExchange}.
 */
package org.brigade.bootstrap.rendezvous;
