#!/bin/bash
# sockets.sh NODES RANKS RATE PROGRAM [ARGUMENTS]: runs an Open MPI program over TCP between so many network namespaces, each with a link of that rate (tc's words: 1gbit) to a
# bridge. As root. The namespaces have no names: they are gone with their processes, however this ends, and it ends when standard input does.
set -u
if [[ ${SOCKETS_INSIDE-} != yes ]]; then
    export SOCKETS_INSIDE=yes
    # A process namespace of its own: with its first process all end.
    exec unshare --net --mount --uts --pid --fork --kill-child --mount-proc bash "$0" "$@"
fi
nodes=$1 ranks=$2 rate=$3
shift 3

fail() {
    echo "sockets.sh: $1" >&2
    exit 1
}

# Seen by all hosts and by nobody else.
mount -t tmpfs none /run || fail "no tmpfs can be mounted on /run"
ip link add switch type bridge && ip link set switch up && ip link set lo up || fail "no bridge can be made; the kernel needs bridge and veth"
hosts= members=()
for ((i = 1; i <= nodes; i++)); do
    unshare --net --mount --uts sh -c "mount -t tmpfs none /dev/shm && hostname node$i && touch /run/ready$i && exec sleep infinity" < /dev/null &
    members[i]=$!
    until [[ -e /run/ready$i ]]; do
        kill -0 "${members[i]}" 2> /dev/null || fail "host $i cannot be made"
        sleep 0.02
    done
    ip link add "port$i" type veth peer name eth0 netns "${members[i]}" && ip link set "port$i" master switch up || fail "no veth pair can be made"
    nsenter -t "${members[i]}" -n sh -c "ip addr add 10.77.0.$i/24 dev eth0 && ip link set eth0 up && ip link set lo up && tc qdisc add dev eth0 root tbf rate $rate burst 80kb latency 50ms" \
        && tc qdisc add dev "port$i" root tbf rate "$rate" burst 80kb latency 50ms || fail "tc cannot limit a link to $rate"
    echo "${members[i]}" > "/run/10.77.0.$i"
    # Blocks of ranks that differ by one at most.
    hosts+=${hosts:+,}10.77.0.$i:$(((ranks * i + nodes - 1) / nodes - (ranks * (i - 1) + nodes - 1) / nodes))
done
cat > /run/agent <<'AGENT'
#!/bin/bash
# The host's address, then a command for a shell there.
pid=$(cat "/run/$1")
shift
exec nsenter -t "$pid" -n -m -u bash -c "$*"
AGENT
chmod +x /run/agent
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_tmpdir_base=/run
exec 3<&0
# mpi_yield_when_idle: ranks that spin would keep the kernel from delivering their packets where there are no more cores than ranks.
nsenter -t "${members[1]}" -n -m -u mpirun -np "$ranks" --host "$hosts" --mca plm_rsh_agent /run/agent --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 \
    --mca pml ob1 --mca btl self,vader,tcp --mca mpi_yield_when_idle 1 --bind-to none "$@" < /dev/null 3<&- &
job=$!
{ cat <&3 > /dev/null; kill -9 "$job"; } 2> /dev/null &
exec 3<&-
wait "$job"
exit $?
