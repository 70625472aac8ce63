package org.brigade.device;

/**
 * One allocation of device memory, as an adapter has to know it.
 *
 * @param id unique in this process's life: another allocation at the same address has another
 * @param base its first byte's address
 * @param bytes its length
 * @param device which of this process's devices it is on, from 0
 */
public record DeviceRange(long id, long base, long bytes, int device) {
}
