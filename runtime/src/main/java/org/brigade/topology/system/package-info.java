/** What the kernel's files say about processors, caches and NUMA nodes: for discovery, and for binding ranks. */
package org.brigade.topology.system;
