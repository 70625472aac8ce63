/** Data-parallel training with PyTorch from Java: every rank has the whole network and a part of each batch. */
package org.brigade.examples.pytorch;
