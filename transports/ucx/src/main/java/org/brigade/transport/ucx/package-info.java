/** Nodes joined by UCX, without an MPI. Read {@link org.brigade.transport.ucx.UcxCarrier} first. */
package org.brigade.transport.ucx;
