/** Copies of point-to-point messages by the GPUs' copy engines. */
package org.brigade.transport.cuda.copy;
