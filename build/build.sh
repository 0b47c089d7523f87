# The builds before a command, one at a time, of what has changed. bin/albis sources this file.

# try_lock FILE_DESCRIPTOR x|s: locks an open file, exclusively or shared, and fails if others have locked it. A lock
# ends when all processes that have inherited the file descriptor have closed it or died. macOS has perl and no flock.
# The file has to be open for reading and writing: NFS needs both for one kind of lock each.
try_lock() {
    local code=0
    if command -v flock >/dev/null; then
        flock -n "-$2" "$1" || code=$?
    else
        perl -MFcntl=:flock -e 'open(my $file, "<&=", $ARGV[0]) or exit 2;
            flock($file, LOCK_NB | ($ARGV[1] eq "x" ? LOCK_EX : LOCK_SH)) or exit($!{EWOULDBLOCK} ? 1 : 2)' "$1" "$2" || code=$?
    fi
    [ "$code" -le 1 ] || fail "bin/albis cannot lock files in $work. It needs flock or perl, and a file system with locks."
    return "$code"
}

# Allows one build at a time
lock_build() {
    local waited=
    { mkdir -p "$work" && exec 9<>"$work/build-lock"; } || fail "bin/albis has to write to $work."
    until try_lock 9 x; do
        [ -n "$waited" ] || echo "Waiting for another build ..."
        waited=1
        sleep 1
    done
}

unlock_build() {
    exec 9>&-
}

# A server, or another command of the launcher, loads classes from the folder of the server until it ends. It inherits
# this lock.
lock_server() {
    exec 8<>"$work/server-lock"
    try_lock 8 s
}

need_no_server() {
    exec 8<>"$work/server-lock"
    try_lock 8 x || fail "A server of this checkout is running, and a build would remove its files. Stop it and try again."
    exec 8>&-
}

# A running benchmark loads classes from the folders of the build until it ends. It inherits this lock.
lock_benchmark() {
    exec 7<>"$work/bench-lock"
    try_lock 7 s
}

need_no_benchmark() {
    exec 7<>"$work/bench-lock"
    try_lock 7 x || fail "A benchmark of this checkout is running, and a build would replace its files. Stop it or wait, and try again."
    exec 7>&-
}

# is_current STAMP SOURCE...: checks that nothing has changed since the stamp was set
# A directory is newer than the stamp if a file in it was removed. Files of an archive have the times of their commits,
# which can be before the stamp, so the time at which they were unpacked counts, too.
is_current() {
    local stamp=$1
    shift
    [ -f "$stamp" ] && [ -z "$(find "$@" \( -newer "$stamp" -o -newercm "$stamp" \) 2>/dev/null | head -n 1)" ]
}

# The modules that the commands of the server need, by directory. The directory . is the plugin. Only bench needs the
# module benchmarks.
readonly MODULES=(. launcher hdfs-fixture)

# plugin_zip: prints the zip of the plugin, and fails if there are several, such as those of two versions
plugin_zip() {
    set -- "$root"/target/albis-trino-*.zip
    [ $# -eq 1 ] && [ -f "$1" ] && printf '%s\n' "$1"
}

# module_is_current MODULE: checks that the module was built after the last change of its sources
module_is_current() {
    local folder=$root/$1
    is_current "$folder/target/.albis-built" "$folder/pom.xml" "$folder/src/main" \
        "$root/build/airbase/pom.xml" "$root/build/plain/pom.xml" "$root/.mvn" || return 1
    case $1 in
        .) plugin_zip >/dev/null ;;
        launcher) [ -f "$server/launcher/albis-launcher.jar" ] ;;
        hdfs-fixture) [ -d "$folder/target/lib" ] ;;
        benchmarks) [ -f "$folder/target/class-path" ] && [ -f "$folder/target/albis-benchmarks.jar" ] ;;
    esac
}

# remove_products MODULE...: removes build results, because those of another version would otherwise remain. It removes
# the stamps, too, because an interrupted build leaves incomplete results.
remove_products() {
    local module
    case " $* " in
        *" launcher "*) need_no_server ;;
    esac
    case " $* " in
        *" . "*) need_no_benchmark ;;
    esac
    for module in "$@"; do
        rm -f "$root/$module/target/.albis-built"
        case $module in
            .) rm -f "$root"/target/albis-trino-*.zip "$root"/target/albis-full-*.zip "$root"/target/albis-no-hdfs-*.zip ;;
            launcher) rm -rf "$server" ;;
            hdfs-fixture) rm -rf "$root/hdfs-fixture/target/lib" ;;
            benchmarks) rm -f "$root/benchmarks/target/class-path" "$root/benchmarks/target/albis-benchmarks.jar" ;;
        esac
    done
}

set_stamps() {
    local module
    for module in "$@"; do
        cp -p "$work/build.start" "$root/$module/target/.albis-built"
    done
}

module_names() {
    local module names=
    for module in "$@"; do
        case $module in
            .) names="$names and the plugin" ;;
            launcher) names="$names and the Trino server" ;;
            hdfs-fixture) names="$names and HDFS" ;;
            benchmarks) names="$names and the benchmarks" ;;
        esac
    done
    printf '%s' "${names# and }"
}

# module_list MODULE...: prints the modules as a value for Maven's option -pl
module_list() {
    local module names=
    for module in "$@"; do
        case $module in
            .) names=$names,:albis-trino ;;
            *) names=$names,:albis-$module ;;
        esac
    done
    printf '%s' "${names#,}"
}

first_time() {
    [ -d "$HOME/.m2/repository/io/trino" ] || printf ' (the first time Maven downloads about 500 MB)'
}

# build MODULE...: builds the modules that are not current in a single Maven run
build() {
    local module stale=()
    find_jdk
    lock_build
    for module in "$@"; do
        module_is_current "$module" || stale+=("$module")
    done
    if [ ${#stale[@]} -gt 0 ]; then
        # The benchmarks use classes of the plugin, and Maven finds those of this checkout only in the same run
        case " $* " in
            *" benchmarks "*) stale=("$@") ;;
        esac
        find_maven
        # Stamps get the time before the build, so that files that are edited during the build count as changed
        touch "$work/build.start"
        remove_products "${stale[@]}"
        run_quietly "Building $(module_names "${stale[@]}")$(first_time)" "$work/build.log" \
            run_maven package -pl "$(module_list "${stale[@]}")" -Dmaven.test.skip=true -Dair.check.skip-extended=true
        set_stamps "${stale[@]}"
    fi
    case " $* " in
        *" benchmarks "*) lock_benchmark ;;
        *) lock_server ;;
    esac
    unlock_build
}
