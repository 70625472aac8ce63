package org.brigade.device;

/**
 * One allocation of device memory, as adapters need it.
 *
 * @param id unique in this process's life: a later allocation at the same address has another id
 * @param base address of its first byte
 * @param bytes its length
 * @param device which of this process's devices it is on, from 0
 */
public record DeviceRange(long id, long base, long bytes, int device) {
}
