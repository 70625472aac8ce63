// The names that libsisci exports. Its header renames all functions and constants, so a program that opens the library
// by itself must know the renamed ones: functions as _SISCI_PUBLIC_FUNC_ST_name or, for programs of several threads,
// _SISCI_PUBLIC_FUNC_MT_name; constants as data, _SISCI_PUBLIC_CONST_name.
#ifndef BRIGADE_SISCI_SYMBOLS_H
#define BRIGADE_SISCI_SYMBOLS_H

// After a function's definition: its two other names.
#define SISCI_NAMES(name) \
    extern __typeof__(name) _SISCI_PUBLIC_FUNC_ST_##name __attribute__((alias(#name), visibility("default"))); \
    extern __typeof__(name) _SISCI_PUBLIC_FUNC_MT_##name __attribute__((alias(#name), visibility("default")));

#define CONSTANT(name) _SISCI_PUBLIC_CONST_##name
#define FLAG(name) _SISCI_PUBLIC_CONST_SCI_FLAG_##name
#define QUERY(name) _SISCI_PUBLIC_CONST_SCI_Q_##name

// Values known from public users of the API. One value serves several families of calls.
#define SISCI_FLAGS(X) \
    X(USE_CALLBACK, 0x1) X(EMPTY, 0x2) X(PRIVATE, 0x4) X(DMA_GLOBAL, 0x40) X(ALLOW_UNICAST, 0x80) \
    X(BROADCAST, 0x40000) X(AUTO_ID, 0x20000000) \
    X(DMA_SOURCE_ONLY, 0x8) X(FORCE_REMOVE, 0x20) X(PHYSICAL, 0x1000) X(CUDA_BUFFER, 0x2000) X(SCIF_BUFFER, 0x4000) \
    X(LOCK_USER_MEM, 0x400) \
    X(DMA_WAIT, 0x4) X(DMA_READ, 0x10) X(DMA_PHDMA, 0x20) X(DMA_SYSDMA, 0x100) X(DMA_USER_MEM, 0x200) \
    X(DMA_ADAPTER, 0x800) \
    X(FIXED_INTNO, 0x2) X(SHARED_INT, 0x4) X(CONDITIONAL_INTERRUPT, 0x8) X(COUNTING_INT, 0x20) X(SHARE_EXTERNAL, 0x40) \
    X(FIXED_MAP_ADDR, 0x1) X(READONLY_MAP, 0x2) X(LOCK_OPERATION, 0x4) X(CONDITIONAL_INTERRUPT_MAP, 0x8) \
    X(UNCOND_DATA_INTERRUPT_MAP, 0x10) X(IO_MAP_IOSPACE, 0x80) \
    X(NO_MEMORY_LOOPBACK, 0x800) X(SHARED_MAP, 0x2000) X(WRITE_BACK_CACHE_MAP, 0x08000000) X(CACHE_FLUSH, 0x100000) \
    X(CACHE_INVALIDATE, 0x200000) \
    X(PCIE_REQUESTER_GLOBAL, 0x1) SISCI_UNPUBLISHED_FLAGS(X)

// Numbers of the real library are not public: these are ours, and only the data symbols tell.
#define SISCI_UNPUBLISHED_FLAGS(X) \
    X(BLOCK_READ, 0x00800000) X(ERROR_CHECK, 0x01000000) X(FLUSH_CPU_BUFFERS_ONLY, 0x02000000) X(NO_FLUSH, 0x04000000) \
    X(NO_STORE_BARRIER, 0x10000000) \
    X(FAST_BARRIER, 0x40000000) X(THREAD_SAFE, 0x00010000) X(FORCE_DISCONNECT, 0x00020000) X(NOTIFY, 0x00080000) \
    X(ASYNCHRONOUS_CONNECT, 0x80000000)

#define SISCI_QUERIES(X) \
    X(API, 1) X(ADAPTER, 2) X(DMA, 3) X(SYSTEM, 4) X(LOCAL_SEGMENT, 5) X(REMOTE_SEGMENT, 6) X(MAP, 7) \
    X(ADAPTER_NODEID, 20) X(ADAPTER_CARD_TYPE, 21) X(ADAPTER_BDF, 22) X(ADAPTER_DMA_MTU, 23) X(ADAPTER_LINK_WIDTH, 24) \
    X(ADAPTER_LINK_SPEED, 25) \
    X(ADAPTER_LINK_OPERATIONAL, 26) X(ADAPTER_NUMBER_OF_LINKS, 27) X(ADAPTER_MCAST_MAX_GROUPS, 28) \
    X(ADAPTER_CONFIGURED, 29) X(ADAPTER_SERIAL_NUMBER, 30) \
    X(ADAPTER_DMA_SIZE_ALIGNMENT, 31) X(ADAPTER_DMA_OFFSET_ALIGNMENT, 32) X(DMA_AVAILABLE, 50) X(DMA_CAPABILITIES, 51) \
    X(LOCAL_SEGMENT_IOADDR, 60) X(REMOTE_SEGMENT_IOADDR, 61) X(MAP_PHYS_ADDR, 62)

// Never shifted.
#define SISCI_NUMBERS(X) X(SCI_INFINITE_TIMEOUT, 0xffffffffu) X(DIS_BROADCAST_NODEID_GROUP_ALL, 252)

#ifndef SISCI_CONSTANTS_DEFINED_HERE
#define SISCI_DECLARE_FLAG(name, value) extern const unsigned FLAG(name) __attribute__((visibility("default")));
#define SISCI_DECLARE_QUERY(name, value) extern const unsigned QUERY(name) __attribute__((visibility("default")));
#define SISCI_DECLARE_NUMBER(name, value) extern const unsigned CONSTANT(name) __attribute__((visibility("default")));
SISCI_FLAGS(SISCI_DECLARE_FLAG)
SISCI_QUERIES(SISCI_DECLARE_QUERY)
SISCI_NUMBERS(SISCI_DECLARE_NUMBER)
#endif
#endif
