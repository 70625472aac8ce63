package mpi;

import static mpi.Datatype.items;

import mpi.front.types.DerivedTypes;
import mpi.front.types.ItemType;
import mpi.spi.Extent;

/**
 * The calls of a datatype in mpiJava's dialect, which MPJ Express has too; {@link Datatype} inherits them and has those
 * of Open MPI's dialect. Extents and sizes are in elements of mpiJava's array.
 */
public abstract class MpjDatatype {
    /**
     * The array element that this type consists of, by mpiJava's numbers: byte 1, char 2, short 3, boolean 4, int 5,
     * long 6, float 7, double 8, packed 9, the bounds 10 and 11, objects 12.
     */
    public int baseType;
    /** What the checks and the layers below see; a clone has one of its own. */
    ItemType items;

    MpjDatatype(ItemType items) {
        this.items = items;
        baseType = items.baseType;
    }

    /** Distance between two items, in elements of the array (MPI_Type_extent). */
    public int Extent() throws MPIException {
        ItemType.check("Datatype.Extent", items);
        return items.inUnits("Datatype.Extent", items.shape.extent(), 1 << items.shift);
    }

    /** Elements of the array in one item (MPI_Type_size). */
    public int Size() throws MPIException {
        ItemType.check("Datatype.Size", items);
        return items.size >> items.shift;
    }

    /** Where an item begins, in elements of the array (MPI_Type_lb). */
    public int Lb() throws MPIException {
        ItemType.check("Datatype.Lb", items);
        return items.inUnits("Datatype.Lb", items.shape.lb, 1 << items.shift);
    }

    /** Where an item ends, in elements of the array (MPI_Type_ub). */
    public int Ub() throws MPIException {
        ItemType.check("Datatype.Ub", items);
        return items.inUnits("Datatype.Ub", items.shape.ub, 1 << items.shift);
    }

    /** As {@link Datatype#commit} (MPI_Type_commit). */
    public void Commit() throws MPIException {
        ItemType.check("Datatype.Commit", items);
        items.commit();
    }

    /** Bytes of data in one item. */
    public int getByteSize() {
        return items.size;
    }

    /** As {@link Datatype#baseType}. */
    public int getType() {
        return baseType;
    }

    /** As {@link Datatype#createContiguous}; needs no commit (MPI_Type_contiguous). */
    public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
        return new Datatype(DerivedTypes.contiguous("Datatype.Contiguous", count, items(oldtype), true));
    }

    /** As {@link Datatype#createVector}; needs no commit (MPI_Type_vector). */
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return new Datatype(
            DerivedTypes.vector("Datatype.Vector", count, blocklength, stride, items(oldtype), 0, true));
    }

    /** As {@link #Vector}, with the stride in elements of the array (MPI_Type_hvector). */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        ItemType.check("Datatype.Hvector", items(oldtype));
        return new Datatype(DerivedTypes.vector("Datatype.Hvector", count, blocklength, stride, items(oldtype),
            1 << oldtype.items.shift, true));
    }

    /** As {@link Datatype#createIndexed}; needs no commit (MPI_Type_indexed). */
    public static Datatype Indexed(int[] blocklengths, int[] displacements, Datatype oldtype) throws MPIException {
        return new Datatype(
            DerivedTypes.indexed("Datatype.Indexed", blocklengths, displacements, items(oldtype), 0, true));
    }

    /** As {@link #Indexed}, with the displacements in elements of the array (MPI_Type_hindexed). */
    public static Datatype Hindexed(int[] blocklengths, int[] displacements, Datatype oldtype) throws MPIException {
        ItemType.check("Datatype.Hindexed", items(oldtype));
        return new Datatype(DerivedTypes.indexed("Datatype.Hindexed", blocklengths, displacements, items(oldtype),
            1 << oldtype.items.shift,
            true));
    }

    /**
     * Blocks of several types that lie in arrays of one kind (MPI_Type_struct). {@link MPI#LB} and {@link MPI#UB} set
     * the bounds. Needs no commit.
     *
     * @param blocklengths items in each block, 0 or more
     * @param displacements where each block begins, in elements of the array
     * @param types type of each block, all in arrays of one kind
     * @throws MPIException as {@link Datatype#createStruct}; ERR_TYPE if the types lie in arrays of different kinds
     */
    public static Datatype Struct(int[] blocklengths, int[] displacements, Datatype[] types) throws MPIException {
        return new Datatype(
            DerivedTypes.struct("Datatype.Struct", blocklengths, displacements, items(types), null, true));
    }
}
