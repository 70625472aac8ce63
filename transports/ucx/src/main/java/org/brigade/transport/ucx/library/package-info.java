/** UCX through its C interface. */
package org.brigade.transport.ucx.library;
