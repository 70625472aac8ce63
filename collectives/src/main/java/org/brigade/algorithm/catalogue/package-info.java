/** All algorithms by their names: for host memory, for devices, and for calls on streams. */
package org.brigade.algorithm.catalogue;
