/*
 * A libsharp_coll for tests, whose members are threads of one process. Structs and behaviour are as its users see the
 * real one: contexts and communicators are made by all members together, by way of the callers' own exchanges;
 * operations of a communicator meet by their order; requests are tested and freed.
 *
 * FAKE_SHARP, a comma-separated list, read at init:  quota (no communicator), lock=N (each member's first N operations
 *                                                    find the tree locked), types=MASK, ops=MASK, fail=N (operation N
 *                                                    and later end with an
 * error), nodev (no device), oob (no exchange is made, the callbacks' error is simulated).
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sharp_coll_config { const char* ib_dev_list; int user_progress_num_polls; int coll_timeout_ms; uint32_t flags;
    int reserved[3]; };
struct oob_colls { int (*bcast)(void*, void*, int, int); int (*barrier)(void*);
    int (*gather)(void*, int, void*, void*, int); };
struct init_spec {
  uint64_t job_id; int world_rank; int world_size; int (*progress_func)(void); int group_channel_idx;
      struct sharp_coll_config config; struct oob_colls oob;
  int world_local_rank; int enable_thread_support; void* oob_ctx; int reserved[4];
};
struct comm_init_spec { int rank; int size; void* oob_ctx; const uint32_t* group_world_ranks; int reserved[2]; };
struct buffer_desc { void* ptr; size_t length; void* mem_handle; };
struct data_desc { int type; int mem_type; int reserved[2];
    union { struct buffer_desc buffer; struct { unsigned count; void* vector; } iov; } u; };
struct reduce_spec {
  int root; struct data_desc sbuf; struct data_desc rbuf; int dtype; size_t length; int op; int tag_dtype;
      int aggr_mode; int stream_lock_batch_size; size_t offset; int reserved[2];
};
struct caps {
  int sharp_pkt_version; uint64_t reserved[2];
  struct { uint64_t dtypes, tag_dtypes, reduce_ops, feature_mask, reserved[4]; } bits;
  struct { int max_osts, user_data_per_ost, max_groups, max_group_channels, osts_per_group; } limits;
};

enum { ENOT_SUPP = -2, EQUOTA = -7, EDEV = -9, EINVAL_ = -10, EOOB = -15, ELOCK_FAILED = -18, ENO_RESOURCE = -20,
    ECONN_TREE = -5 };
enum { MOST_MEMBERS = 64, OSTS = 8 };

const struct sharp_coll_config sharp_coll_default_config = {NULL, 42, -1, 0, {0, 0, 0}};

struct faults { int quota, lock, nodev, oob; long fail; uint64_t types, ops; };

struct operation {
  long number; int present; int status; int done; int users;
  void* send[MOST_MEMBERS]; void* recv[MOST_MEMBERS]; size_t length; int dtype, op; struct operation* next;
};
struct group { uint64_t job; int size; int users; struct operation* operations; struct group* next; };
struct context { struct init_spec spec; struct faults faults; };
struct comm { struct context* context; struct group* group; int rank; long next; int locked; int outstanding; };
struct request { struct comm* comm; struct operation* operation; };
struct region { char* from; size_t bytes; };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct group* groups;
static int contexts, comms, regions, requests;

int fake_sharp_left(void) { return contexts * 1000000 + comms * 10000 + regions * 100 + requests; }

/* What the compiler makes of the structs, for the test of the binding's own numbers. */
long fake_sharp_layout(int which) {
  switch (which) {
    case 0: return sizeof(struct sharp_coll_config);
    case 1: return offsetof(struct init_spec, config);
    case 2: return offsetof(struct init_spec, oob);
    case 3: return offsetof(struct init_spec, world_local_rank);
    case 4: return offsetof(struct init_spec, oob_ctx);
    case 5: return sizeof(struct init_spec);
    case 6: return sizeof(struct comm_init_spec);
    case 7: return offsetof(struct reduce_spec, sbuf);
    case 8: return offsetof(struct reduce_spec, rbuf);
    case 9: return offsetof(struct reduce_spec, dtype);
    case 10: return offsetof(struct reduce_spec, length);
    case 11: return offsetof(struct reduce_spec, op);
    case 12: return offsetof(struct reduce_spec, tag_dtype);
    case 13: return sizeof(struct reduce_spec);
    case 14: return offsetof(struct data_desc, u.buffer.ptr);
    case 15: return offsetof(struct data_desc, u.buffer.length);
    case 16: return offsetof(struct data_desc, u.buffer.mem_handle);
    case 17: return offsetof(struct caps, bits.dtypes);
    case 18: return offsetof(struct caps, bits.reduce_ops);
    case 19: return offsetof(struct caps, bits.feature_mask);
    case 20: return offsetof(struct caps, limits.max_osts);
    case 21: return offsetof(struct caps, limits.max_groups);
    case 22: return sizeof(struct caps);
    case 23: return offsetof(struct comm_init_spec, oob_ctx);
    default: return -1;
  }
}

static void read_faults(struct faults* faults) {
  memset(faults, 0, sizeof *faults);
  faults->fail = -1;
  faults->types = 0x7ff;
  faults->ops = 0xfff;
  const char* text = getenv("FAKE_SHARP");
  if (text == NULL) return;
  faults->quota = strstr(text, "quota") != NULL;
  faults->nodev = strstr(text, "nodev") != NULL;
  faults->oob = strstr(text, "oob") != NULL;
  const char* p;
  if ((p = strstr(text, "lock=")) != NULL) faults->lock = atoi(p + 5);
  if ((p = strstr(text, "fail=")) != NULL) faults->fail = atol(p + 5);
  if ((p = strstr(text, "types=")) != NULL) faults->types = strtoull(p + 6, NULL, 0);
  if ((p = strstr(text, "ops=")) != NULL) faults->ops = strtoull(p + 4, NULL, 0);
}

/* A JVM cannot change its environment. */
void fake_sharp_fault(const char* text) { setenv("FAKE_SHARP", text, 1); }

int sharp_coll_init(struct init_spec* spec, struct context** answer) {
  if (spec->world_size < 1 || spec->world_size > MOST_MEMBERS || spec->world_rank < 0
      || spec->world_rank >= spec->world_size || spec->group_channel_idx != 0 || spec->reserved[0] != 0
      || spec->config.flags != 0 || spec->config.user_progress_num_polls == 42 || spec->enable_thread_support != 1
          || spec->oob.bcast == NULL || spec->oob.barrier == NULL || spec->oob.gather == NULL) {
    return EINVAL_;
  }
  struct context* context = calloc(1, sizeof *context);
  context->spec = *spec;
  read_faults(&context->faults);
  /* The tree's description goes from the first to all, and everyone's address to the first. */
  char tree[40] = {0};
  if (spec->world_rank == 0) snprintf(tree, sizeof tree, "tree of job %llx", (unsigned long long) spec->job_id);
  int* ranks = calloc(spec->world_size, sizeof *ranks);
  int own = spec->world_rank + 1000;
  int status = context->faults.oob ? EOOB : 0;
  if (!context->faults.oob && (spec->oob.bcast(spec->oob_ctx, tree, sizeof tree, 0) != 0
          || spec->oob.gather(spec->oob_ctx, 0, &own, ranks, sizeof own) != 0
          || spec->oob.barrier(spec->oob_ctx) != 0)) {
    status = EOOB;
  }
  char expected[40];
  snprintf(expected, sizeof expected, "tree of job %llx", (unsigned long long) spec->job_id);
  if (status == 0 && strcmp(tree, expected) != 0) status = EOOB;
  for (int i = 0; status == 0 && spec->world_rank == 0 && i < spec->world_size; i++) {
    if (ranks[i] != i + 1000) status = EOOB;
  }
  free(ranks);
  if (status == 0 && (context->faults.nodev
          || (spec->config.ib_dev_list != NULL && strncmp(spec->config.ib_dev_list, "mlx5_", 5) != 0))) {
      status = EDEV;
  }
  if (status != 0) {
    free(context);
    return status;
  }
  pthread_mutex_lock(&mutex);
  contexts++;
  pthread_mutex_unlock(&mutex);
  *answer = context;
  return 0;
}

int sharp_coll_finalize(struct context* context) {
  pthread_mutex_lock(&mutex);
  contexts--;
  pthread_mutex_unlock(&mutex);
  free(context);
  return 0;
}

int sharp_coll_progress(struct context* context) { (void) context; return 0; }

int sharp_coll_caps_query(struct context* context, struct caps* caps) {
  memset(caps, 0, sizeof *caps);
  caps->sharp_pkt_version = 1;
  caps->bits.dtypes = context->faults.types;
  caps->bits.reduce_ops = context->faults.ops;
  caps->bits.feature_mask = 1 | 2 | 4;
  caps->limits.max_osts = OSTS;
  caps->limits.user_data_per_ost = 256;
  caps->limits.max_groups = 8;
  caps->limits.max_group_channels = 1;
  caps->limits.osts_per_group = OSTS;
  return 0;
}

int sharp_coll_comm_init(struct context* context, struct comm_init_spec* spec, struct comm** answer) {
  if (spec->rank != context->spec.world_rank || spec->size != context->spec.world_size
      || spec->group_world_ranks != NULL || spec->reserved[0] != 0) {
      return EINVAL_;
  }
  if (context->spec.oob.barrier(spec->oob_ctx) != 0) return EOOB;
  if (context->faults.quota) return EQUOTA;
  pthread_mutex_lock(&mutex);
  struct group* group = groups;
  while (group != NULL && group->job != context->spec.job_id) group = group->next;
  if (group == NULL) {
    group = calloc(1, sizeof *group);
    group->job = context->spec.job_id;
    group->size = spec->size;
    group->next = groups;
    groups = group;
  }
  group->users++;
  struct comm* comm = calloc(1, sizeof *comm);
  comm->context = context;
  comm->group = group;
  comm->rank = spec->rank;
  comm->locked = context->faults.lock;
  comms++;
  pthread_mutex_unlock(&mutex);
  *answer = comm;
  return 0;
}

int sharp_coll_comm_destroy(struct comm* comm) {
  pthread_mutex_lock(&mutex);
  comm->group->users--;
  comms--;
  free(comm);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int sharp_coll_reg_mr(struct context* context, void* buffer, size_t bytes, struct region** answer) {
  (void) context;
  struct region* region = malloc(sizeof *region);
  region->from = buffer;
  region->bytes = bytes;
  pthread_mutex_lock(&mutex);
  regions++;
  pthread_mutex_unlock(&mutex);
  *answer = region;
  return 0;
}

int sharp_coll_dereg_mr(struct context* context, struct region* region) {
  (void) context;
  free(region);
  pthread_mutex_lock(&mutex);
  regions--;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static const size_t SIZES[] = {4, 4, 8, 8, 4, 8, 2, 2, 2, 2, 1, 1};

#define REDUCE(T) do { T* out = op->recv[0]; \
    for (size_t i = 0; i < op->length; i++) { T a = ((T*) op->send[0])[i]; \
        for (int m = 1; m < size; m++) { T b = ((T*) op->send[m])[i]; \
  a = op->op == 2 ? (T) (a + b) : op->op == 0 ? (a > b ? a : b) : (a < b ? a : b); } out[i] = a; } } while (0)

static int reduce(struct operation* op, int size) {
  if (op->op > 2) return ENOT_SUPP;
  switch (op->dtype) {
    case 1: REDUCE(int32_t); break;
    case 3: REDUCE(int64_t); break;
    case 4: REDUCE(float); break;
    case 5: REDUCE(double); break;
    case 6: REDUCE(uint16_t); break;
    case 7: REDUCE(int16_t); break;
    default: return ENOT_SUPP;
  }
  for (int m = 1; m < size; m++) memcpy(op->recv[m], op->recv[0], op->length * SIZES[op->dtype]);
  return 0;
}

static int inside(const struct data_desc* desc, size_t bytes) {
  const struct region* region = desc->u.buffer.mem_handle;
  const char* from = desc->u.buffer.ptr;
  return desc->type == 0 && desc->mem_type == 0 && region != NULL && desc->u.buffer.length == bytes
      && from >= region->from && from + bytes <= region->from + region->bytes;
}

int sharp_coll_do_allreduce_nb(struct comm* comm, struct reduce_spec* spec, struct request** answer) {
  if (spec->dtype < 0 || spec->dtype > 11 || spec->op < 0 || spec->op > 11 || spec->tag_dtype != 12
      || spec->aggr_mode != 0 || spec->reserved[0] != 0 || spec->offset != 0) {
      return EINVAL_;
  }
  size_t bytes = spec->length * SIZES[spec->dtype];
  if (!inside(&spec->sbuf, bytes) || !inside(&spec->rbuf, bytes)) return EINVAL_;
  if ((comm->context->faults.types >> spec->dtype & 1) == 0 || (comm->context->faults.ops >> spec->op & 1) == 0) {
      return ENOT_SUPP;
  }
  pthread_mutex_lock(&mutex);
  int status = 0;
  if (comm->locked > 0) {
    comm->locked--;
    status = ELOCK_FAILED;
  } else if (comm->outstanding == OSTS) {
    status = ENO_RESOURCE;
  } else {
    struct operation* op = comm->group->operations;
    while (op != NULL && op->number != comm->next) op = op->next;
    if (op == NULL) {
      op = calloc(1, sizeof *op);
      op->number = comm->next;
      op->length = spec->length;
      op->dtype = spec->dtype;
      op->op = spec->op;
      op->users = comm->group->size;
      op->next = comm->group->operations;
      comm->group->operations = op;
    }
    if (op->length != spec->length || op->dtype != spec->dtype || op->op != spec->op) {
      status = EINVAL_;
    } else {
      op->send[comm->rank] = spec->sbuf.u.buffer.ptr;
      op->recv[comm->rank] = spec->rbuf.u.buffer.ptr;
      comm->next++;
      comm->outstanding++;
      if (++op->present == comm->group->size) {
        op->status = comm->context->faults.fail >= 0 && op->number >= comm->context->faults.fail ? ECONN_TREE
            : reduce(op, comm->group->size);
        op->done = 1;
      }
      struct request* request = malloc(sizeof *request);
      request->comm = comm;
      request->operation = op;
      requests++;
      *answer = request;
    }
  }
  pthread_mutex_unlock(&mutex);
  return status;
}

int sharp_coll_req_test(struct request* request) {
  pthread_mutex_lock(&mutex);
  int done = request->operation->done;
  pthread_mutex_unlock(&mutex);
  return done;
}

int sharp_coll_req_wait(struct request* request) {
  while (!sharp_coll_req_test(request)) {}
  pthread_mutex_lock(&mutex);
  struct operation* op = request->operation;
  struct comm* comm = request->comm;
  int status = op->status;
  comm->outstanding--;
  requests--;
  if (--op->users == 0) {
    struct operation** at = &comm->group->operations;
    while (*at != op) at = &(*at)->next;
    *at = op->next;
    free(op);
  }
  free(request);
  pthread_mutex_unlock(&mutex);
  return status;
}
