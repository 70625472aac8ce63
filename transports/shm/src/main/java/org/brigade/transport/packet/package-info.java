/**
 * Links over a library that carries whole messages of bytes: packets with heads, credit, signs of life. Read
 * {@link org.brigade.transport.packet.MessageCarrier} and {@link org.brigade.transport.packet.PacketEnd} first.
 */
package org.brigade.transport.packet;
