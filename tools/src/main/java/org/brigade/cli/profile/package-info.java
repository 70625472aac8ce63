/** Command profile: ranks measure the paths between a machine's devices. */
package org.brigade.cli.profile;
