/**
 * GPUs as Brigade sees them: the entry that is loaded by name when a buffer is first in device memory, and what a JCuda
 * pointer stands for. The packages below do the work.
 */
package org.brigade.transport.cuda;
