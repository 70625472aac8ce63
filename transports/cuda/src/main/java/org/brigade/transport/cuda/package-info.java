/**
 * GPUs in Brigade: the entry that is loaded by name at the first buffer in device memory, and the memory of JCuda
 * pointers. The packages below do the work.
 */
package org.brigade.transport.cuda;
