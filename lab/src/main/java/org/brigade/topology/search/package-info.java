/** The search for the fastest paths between the devices of a machine, by measured transfers. */
package org.brigade.topology.search;
