/**
 * Connects ranks of different nodes through Dolphin's PCIe adapters. Each rank writes into memory of the other, and
 * nobody ever reads over the bridge.
 */
package org.brigade.transport.sisci;
