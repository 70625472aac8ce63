/**
 * What ranks do when others have died, after ULFM (Bland, Bouteiller, Herault, Bosilca, Dongarra: Post-failure recovery
 * of MPI communication capability, IJHPCA 27(3), 2013): revocation of communicators, and agreement among the ranks that
 * are left.
 */
package org.brigade.failure;
