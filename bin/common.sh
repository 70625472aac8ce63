# What the commands of bin/ share: finding the JDK and brigade.jar, building the jar when it is missing or old. Sourced,
# not run. A caller sets root. find_java gives java and java_version, find_jar gives jar, tools and brigade_path,
# find_archive gives archive_flags.

command_name=${0##*/}

# A JVM cannot open a path with an o umlaut where the locale is C, as it is in containers and under cron.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX)
        if [[ -n ${LC_ALL:-} ]]; then LC_ALL=C.UTF-8; else export LC_CTYPE=C.UTF-8; fi
        ;;
esac

fail() {
    echo "$command_name: $*" >&2
    exit 2
}

# The first number of a version as JDKs write it: 17.0.15 -> 17, 1.8.0_292 -> 8.
feature_of() {
    local version=$1
    [[ $version == 1.* ]] && version=${version#1.}
    echo "${version%%[!0-9]*}"
}

# Sets java and java_version. The version is read from the JDK's release file, as starting a JVM to ask would cost 40
# ms.
find_java() {
    if [[ -n ${JAVA_HOME:-} ]]; then
        java=$JAVA_HOME/bin/java
        [[ -x $java ]] \
            || fail "JAVA_HOME is $JAVA_HOME, but there is no bin/java in it; set it to a JDK of version 17 or" \
            "newer, or unset it."
    else
        java=$(command -v java) \
            || fail "no java found; install a JDK of version 17 or newer (Debian, Ubuntu: apt-get install" \
                "openjdk-17-jdk) or set JAVA_HOME."
    fi
    local home line version=
    home=$(readlink -f "$java")
    home=${home%/bin/java}
    if [[ -r $home/release ]]; then
        while read -r line; do
            [[ $line == JAVA_VERSION=* ]] && version=${line#*\"}
        done < "$home/release"
    else
        version=$("$java" -version 2>&1 | head -n 1)
        version=${version#*\"}
    fi
    java_version=$(feature_of "$version")
    [[ -n $java_version ]] || fail "$java does not say its version; set JAVA_HOME to a JDK of version 17 or newer."
    ((java_version >= 17)) \
        || fail "$java is Java $java_version, and Brigade needs 17 or newer; install one or set JAVA_HOME."
}

# Whether the jars are not those of the last build of these sources: a source is newer, or another run of Maven has
# replaced a jar, broken off perhaps. The stamp has the time at which the build began, and says what it made.
needs_build() {
    [[ ! -e $stamp || $(look) != "$(< "$stamp")" ]]
}

# A line for each jar, and one more if a source is newer than the stamp.
look() {
    find "$jar" "$cuda" "$tools" "$root/pom.xml" \
        "$root"/{mpi-api,collectives,runtime,transports/*,launch,lab,tools}/{pom.xml,src/main} \
        -name 'brigade*.jar' -printf '%f %s %T@\n' -o -newer "$stamp" -print -quit 2>&1
}

# set_stamp FILE: the jars are those of the sources of FILE's time. The stamp appears at once, so that nobody takes a
# jar that is still being made.
set_stamp() {
    find "$jar" "$cuda" "$tools" -printf '%f %s %T@\n' > "$stamp.new" && touch -r "$1" "$stamp.new" \
        && mv -f "$stamp.new" "$stamp"
}

# Whether brigade.jar and brigade-cuda.jar have a class of every source. What a broken-off compiler leaves behind, or
# two that write to the same folder, may be taken by Maven for what it has made itself.
is_whole() {
    local beside missing packer
    beside=$(readlink -f "$java")
    packer=${beside%/*}/jar
    missing=$(LC_ALL=C comm -23 <(cd "$root" && for module in mpi-api collectives runtime transports/* launch; do
        find "$module/src/main/java" -name '*.java' ! -name 'package-info.java' -printf '%P\n'
    done | sed 's/java$/class/' | LC_ALL=C sort) \
        <({ "$packer" tf "$jar" && "$packer" tf "$cuda"; } | LC_ALL=C sort)) && [[ -z $missing ]]
}

# $1: what for, as the beginning of a sentence.
need_build_tools() {
    command -v mvn > /dev/null || fail "$1, and there is no mvn; install Maven (Debian, Ubuntu: apt-get install maven)."
    local beside
    beside=$(readlink -f "$java")
    [[ -x ${beside%/*}/javac ]] \
        || fail "$1, and $java has no javac beside it; install a JDK (Debian, Ubuntu: apt-get install" \
            "openjdk-17-jdk) or set JAVA_HOME."
}

# Builds brigade.jar if it is missing or not that of the sources. The lock is for several commands that find so at once.
# A build that was broken off is begun anew.
build() {
    mkdir -p "$root/.cache"
    exec 9> "$root/.cache/build.lock"
    flock 9
    if needs_build; then
        need_build_tools "brigade.jar must be built"
        echo "$command_name: building brigade.jar (once; about a minute on a fresh machine)" >&2
        local log=$root/.cache/build.log started=$root/.cache/build.started
        [[ ! -e $started ]] || forget_classes
        touch "$started"
        package
        is_whole || { forget_classes && package && is_whole; } \
            || fail "the build left brigade.jar without some classes; run the command again when no other Maven" \
                "builds in $root."
        set_stamp "$started"
        rm -f "$started"
    fi
    exec 9>&-
}

# All is compiled anew.
forget_classes() {
    local targets=("$root"/{mpi-api,collectives,runtime,transports/*,launch,lab,tools}/target)
    rm -rf "${targets[@]/%//classes}" "${targets[@]/%//generated-sources}" "${targets[@]/%//maven-status}" \
        "${targets[@]/%//parts}"
}

package() {
    if ! mvn -B -f "$root/pom.xml" -pl tools -am -Dmaven.test.skip=true package > "$log" 2>&1 < /dev/null; then
        rm -f "$started"
        cat "$log" >&2
        fail "the build failed; Maven's output is above."
    fi
}

# Sets jar, the one jar that programs need; cuda, the one that they need beside it for buffers on GPUs; tools, the jar
# of Brigade's own commands; and brigade_path: jar, cuda if it is there, and JCuda's jars where lib/ has them. The jar
# stays first, as the class archive knows it there.
find_jar() {
    find_brigade
    brigade_path=$jar
    local each
    for each in "$cuda" "$root"/lib/jcuda*.jar; do
        [[ -e $each ]] && brigade_path+=:$each
    done
    return 0
}

# Where Maven makes them.
name_jars() {
    jar=$root/launch/target/brigade.jar
    cuda=$root/transports/cuda/target/brigade-cuda.jar
    tools=$root/tools/target/brigade-tools.jar
    stamp=$root/launch/target/brigade.built
}

find_brigade() {
    if [[ -e $root/lib/brigade.jar ]]; then
        jar=$root/lib/brigade.jar cuda=$root/lib/brigade-cuda.jar tools=$root/lib/brigade-tools.jar
        return
    fi
    name_jars
    [[ -e $root/pom.xml ]] \
        || fail "there is neither lib/brigade.jar nor a source tree beside $root/bin; install Brigade again."
    if needs_build; then
        build
    fi
}

# Sets collector: one thread's garbage collector, unless the environment chooses another: a JVM that is given two does
# not start.
choose_collector() {
    collector=-XX:+UseSerialGC
    [[ " ${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-} " =~ -XX:\+Use[A-Za-z0-9]*GC[^A-Za-z0-9] ]] \
        && collector=
    return 0
}

# How many compiler threads HotSpot may start on $1 processors.
compilers_on() {
    local log=0 loglog=0 left=$1
    while ((left > 1)); do ((log++, left /= 2)); done
    left=$log
    while ((left > 1)); do ((loglog++, left /= 2)); done
    compilers=$((log * loglog * 3 / 2))
    ((compilers >= 2)) || compilers=2
}

# Sets compiler_flag: behind another launcher, a JVM gets as many compiler threads as suit its share of this machine.
# The JVMs of all ranks would fill it otherwise. mpjrun does the same: RankCommand.java.
choose_compilers() {
    compiler_flag=
    local ranks=${OMPI_COMM_WORLD_LOCAL_SIZE:-${MPI_LOCALNRANKS:-1}} processors all
    [[ $ranks == [1-9]* && $ranks != *[!0-9]* ]] && ((ranks > 1)) || return 0
    processors=$(nproc 2> /dev/null) || return 0
    local chosen='-XX:(CICompilerCount|TieredStopAtLevel|-TieredCompilation|ActiveProcessorCount'
    chosen+='|\+UseJVMCICompiler)|-Xint'
    [[ "$* ${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}" =~ $chosen ]] && return 0
    compilers_on "$processors"
    all=$compilers
    compilers_on $((processors / ranks))
    ((compilers >= all)) || compiler_flag=-XX:CICompilerCount=$compilers
}

# Sets archive_flags: what makes a JVM take Brigade's classes from an archive of this JDK instead of loading and
# verifying them. The archive lies beside the jar or, where this user cannot write there or everybody can, in the user's
# cache folder. It is made at the first use and whenever the jar or the JDK is newer. Commands do without where it
# cannot be made, and where the environment chooses another.
find_archive() {
    archive_flags=()
    local home archive own='-Xshare|-XX:(SharedArchiveFile|ArchiveClassesAtExit|AOT)'
    [[ "${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}" =~ $own ]] && return 0
    home=$(readlink -f "$java")
    home=${home%/bin/java}
    archive=${jar%.jar}-java$java_version.jsa
    if ! is_current "$archive" && { [[ ! -w ${jar%/*} ]] || others_write "${jar%/*}"; }; then
        find_cache || return 0
        archive=$cache/${archive//\//%}
    fi
    if ! is_current "$archive" && [[ ! $archive.none -nt $jar && -r $home/release ]]; then
        make_archive "$archive"
    fi
    if [[ $archive -nt $jar ]] && is_trusted "$archive"; then
        # A JVM that cannot use it, because of other options, should not say so but do without.
        local silence=-Xlog:cds*=off
        ((java_version >= 25)) && silence+=,aot*=off
        archive_flags=("-XX:SharedArchiveFile=$archive" -Xshare:auto "$silence")
    fi
}

# Whether every user may put files into a folder: links, too, under the names of files that are about to be made there.
others_write() {
    local mode
    mode=$(stat -L -c %a "$1") && ((8#$mode & 8#002))
}

# Whether an archive is newer than the jar and the JDK.
is_current() {
    [[ $1 -nt $jar && $1 -nt $home/release ]]
}

# Sets cache: a folder of this user's for archives, by the rule of UserFolders.java. Nobody else but root may be able to
# change it or a folder above it.
find_cache() {
    cache=${XDG_CACHE_HOME:-}
    if [[ $cache != /* ]]; then
        cache=${HOME:-}
        [[ $cache == /* ]] || cache=$(unset HOME; echo ~) # as the system has it
        [[ -d $cache ]] || return 1
        cache+=/.cache
    fi
    cache+=/brigade
    mkdir -p -m 700 "$cache" 2> /dev/null && cache=$(readlink -f "$cache") && [[ -w $cache ]] || return 1
    local folders=("$cache") folder=$cache owner mode
    while folder=${folder%/*} && [[ -n $folder ]]; do
        folders+=("$folder")
    done
    while read -r owner mode; do
        [[ $owner == "$EUID" || $owner == 0 ]] && ((!(8#$mode & 8#022) || 8#$mode & 8#1000)) || return 1
    done < <(stat -c '%u %a' "${folders[@]}" || echo none)
}

# Whether a class archive may be used, which is code like the jar beside it: a file of this user's, root's or the jar's
# owner's that nobody else can write to.
is_trusted() {
    local archive_owner archive_mode jar_owner rest
    [[ -f $1 && ! -L $1 ]] || return 1
    { read -r archive_owner archive_mode && read -r jar_owner rest; } < <(stat -c '%u %a' "$1" "$jar") || return 1
    [[ $archive_owner == "$EUID" || $archive_owner == 0 || $archive_owner == "$jar_owner" ]] \
        && ((!(8#$archive_mode & 8#022)))
}

# Of several commands that come here at once, one makes it, and the others go on without. Its JVMs hold the lock, too,
# so nobody else begins while those of an interrupted command still run. An archive counts only if its program has run
# to the end.
make_archive() {
    (
        umask 022
        trap 'rm -f "$1.new"; exit 130' INT
        exec 9>> "$1.lock"
        flock -n 9 && [[ $1.lock -ef /dev/fd/9 ]] && ! is_current "$1" || exit 0
        unset ${!BRIGADE_@} ${!OMPI_@} ${!PMI@} ${!SLURM_@} JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
        export BRIGADE_JOB=rehearsal-$$-$RANDOM BRIGADE_SIZE=2 BRIGADE_LOCAL_SIZE=2
        native_access=
        ((java_version >= 24)) && native_access=--enable-native-access=ALL-UNNAMED
        rehearse=(timeout --foreground 60 "$java" $native_access -XX:+UseSerialGC -XX:-UsePerfData -cp "$jar")
        rehearsal=org.brigade.rehearsal.Rehearsal
        BRIGADE_RANK=1 BRIGADE_LOCAL_RANK=1 "${rehearse[@]}" $rehearsal &
        BRIGADE_RANK=0 BRIGADE_LOCAL_RANK=0 "${rehearse[@]}" "-XX:ArchiveClassesAtExit=$1.new" $rehearsal
        code=$?
        # which would wait for a rank 0 that cannot start: a JRE without a class archive of its own
        ((code == 0)) || kill $!
        wait
        if ((code == 0)) && [[ -e $1.new ]]; then
            mv -f "$1.new" "$1"
        else
            rm -f "$1.new"
            ((code > 128)) || touch "$1.none" # not every JRE can; it is not tried again for this jar
        fi
        rm -f "$1.lock"
    ) > /dev/null 2>&1 < /dev/null
    (($? != 130)) || exit 130
}
