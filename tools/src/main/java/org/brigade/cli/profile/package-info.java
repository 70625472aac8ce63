/** Command profile: ranks measure the ways between a machine's devices. */
package org.brigade.cli.profile;
