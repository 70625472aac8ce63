/** Packs derived datatypes in device memory, by kernels. */
package org.brigade.transport.cuda.pack;
