# bin/albis docker: HDFS and Trino in containers. bin/albis sources this file and provides the functions that it uses.

readonly DOCKER_HEALTH_LIMIT=600
docker_folder=$root/docker

docker_usage() {
    cat <<END
Usage: bin/albis docker COMMAND

  up [--local]                          builds the images, starts HDFS (a NameNode, three DataNodes) and Trino (a
                                        coordinator, two workers) with the plugin, and waits until they are healthy;
                                        --local: no HDFS, one Trino server on a folder of this machine
  tpcds --scale SCALE [--queries LIST]  as bin/albis tpcds, on the servers in the containers
  sizing --scale SCALE ...              as bin/albis sizing, on the servers in the containers
  sql ["query"]                         the Trino command line client on them
  hdfs dfs | dfsadmin | fsck ...        Hadoop's own commands, in the container of the NameNode
  down                                  stops and removes the containers; the data is kept
  build                                 builds the images
  settings                              prints all settings of this cluster, as a file for Docker Compose
  compose ARGUMENT...                   Docker Compose with the settings of this cluster, such as compose logs namenode
  test                                  runs the tests that need containers, in containers of their own

docker/README.md says what can be set.
END
}

docker_misused() {
    printf '%s\n\n' "$1" >&2
    docker_usage >&2
    exit 2
}

# why_no_docker: prints the reason why containers cannot run, or nothing if they can
why_no_docker() {
    local answer
    if ! command -v docker >/dev/null; then
        echo "there is no docker on the PATH"
    elif ! answer=$(docker version --format '{{.Server.Version}}' 2>&1); then
        echo "no Docker engine answers (${answer##*$'\n'})"
    elif ! docker compose version >/dev/null 2>&1; then
        echo "Docker has no compose plugin: docker compose version fails"
    fi
}

need_docker() {
    local reason
    reason=$(why_no_docker)
    if [ -n "$reason" ]; then
        fail "bin/albis docker needs a Docker engine and its compose plugin, and $reason." \
            "Install and start Docker Engine or Docker Desktop; bin/albis server does not need Docker."
    fi
}

# env_value NAME: prints the value of a variable in docker/.env. Docker Compose reads this file, too, so a line that it
# could read differently is refused.
env_value() {
    local line value
    if grep -Eq "^[[:space:]]*export[[:space:]]+$1[[:space:]]*=" "$docker_folder/.env"; then
        fail "docker/.env: write $1=VALUE without export. Some versions of Docker Compose do not read it otherwise."
    fi
    line=$(tr -d '\r' <"$docker_folder/.env" | sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" | sed 's/[[:space:]]*$//' | tail -n 1)
    case $line in
        \"*\" | \'*\') value=${line:1:${#line}-2} ;;
        *) value=$line ;;
    esac
    case $value in
        *[\"\'\\\$\#]*) fail "docker/.env: $1=$line: a value can be in quotes. It cannot contain a quote, \$, \\, or #." ;;
    esac
    printf '%s' "$value"
}

# setting NAME DEFAULT: exports a variable of the compose file
# The value is taken from the environment, from docker/.env, or from the default, in this order.
setting() {
    local value=${!1-}
    if [ -z "$value" ] && [ -f "$docker_folder/.env" ]; then
        value=$(env_value "$1") || exit 1
    fi
    export "$1=${value:-$2}"
}

folder_setting() {
    setting "$1" "$home/docker/$2"
    case ${!1} in
        /*) ;;
        # Compose would take it for a path in docker/, or for the name of a volume
        *) fail "$1 must be an absolute path, and is '${!1}'." ;;
    esac
}

# megabytes NAME: prints the value of a setting in megabytes
megabytes() {
    local size=${!1}
    [[ $size =~ ^([1-9][0-9]*)([mMgG])$ ]] || fail "$1 must be a number with the unit m or g, such as 4g, and is '$size'."
    case $size in
        *[gG]) echo $((BASH_REMATCH[1] * 1024)) ;;
        *) echo "${BASH_REMATCH[1]}" ;;
    esac
}

# memory_setting NAME HEAP MEGABYTES: sets the memory of a container. The default is the heap, a quarter of it, and some
# more.
memory_setting() {
    local heap memory
    heap=$(megabytes "$2") || exit 1
    setting "$1" $((heap + heap / 4 + $3))m
    memory=$(megabytes "$1") || exit 1
    [ "$memory" -gt "$heap" ] || fail "$1=${!1} is too little for $2=${!2}: the engine would kill the container."
}

docker_settings() {
    # Other checkouts have other images and containers
    setting ALBIS_DOCKER_PROJECT "albis-$(printf '%s' "$root" | cksum | cut -d ' ' -f 1)"
    setting ALBIS_PORT 8080
    setting ALBIS_REPLICATION 2
    setting ALBIS_WORKERS 2
    setting ALBIS_LOCAL_WORKERS 0
    setting ALBIS_TRINO_HEAP 1g
    setting ALBIS_HADOOP_HEAP 256m
    memory_setting ALBIS_TRINO_MEMORY ALBIS_TRINO_HEAP 768
    memory_setting ALBIS_HADOOP_MEMORY ALBIS_HADOOP_HEAP 448
    setting ALBIS_TRINO_BASE_IMAGE eclipse-temurin:25-jre
    setting ALBIS_HADOOP_BASE_IMAGE eclipse-temurin:25-jre
    setting ALBIS_USER_ID "$(id -u)"
    setting ALBIS_GROUP_ID "$(id -g)"
    folder_setting ALBIS_NAMENODE_DATA namenode
    folder_setting ALBIS_DATANODE1_DATA datanode1
    folder_setting ALBIS_DATANODE2_DATA datanode2
    folder_setting ALBIS_DATANODE3_DATA datanode3
    folder_setting ALBIS_LOCAL_DATA local
    docker_uri=http://127.0.0.1:$ALBIS_PORT
}

# Prints the settings as a file for Docker Compose without bin/albis
docker_print_settings() {
    docker_settings
    echo "COMPOSE_PROJECT_NAME=$ALBIS_DOCKER_PROJECT"
    env | LC_ALL=C sort | grep -E '^ALBIS_(DOCKER_PROJECT|PORT|REPLICATION|(LOCAL_)?WORKERS|USER_ID|GROUP_ID|(TRINO|HADOOP)_(HEAP|MEMORY|BASE_IMAGE)|(NAMENODE|DATANODE[123]|LOCAL)_DATA)='
}

# compose PROFILES ARGUMENT...: runs Docker Compose with the given profiles
compose() {
    local profiles=$1 file=$docker_folder/compose.yaml
    shift
    case $(docker compose version --short) in
        1.* | v1.*)
            # Version 1 refuses the name of the project in the file
            file=$work/compose.yaml
            mkdir -p "$work"
            sed '/^name:/d' "$docker_folder/compose.yaml" >"$file"
            ;;
    esac
    COMPOSE_PROFILES=$profiles docker compose -f "$file" --project-directory "$docker_folder" -p "$ALBIS_DOCKER_PROJECT" "$@"
}

# containers [SERVICE]: prints the running containers of a service, or those of all services of this project
containers() {
    docker ps -q --filter "label=com.docker.compose.project=$ALBIS_DOCKER_PROJECT" ${1:+--filter "label=com.docker.compose.service=$1"}
}

# --- images --------------------------------------------------------------------------------------------------------

# Copies the contents of the images to the build contexts, unless they are already up to date
assemble_images() {
    build "${MODULES[@]}"
    lock_build
    local hadoop=$docker_folder/hadoop/target trino=$docker_folder/trino/target zip
    if ! is_current "$hadoop/.albis-built" "$root/hdfs-fixture/target/.albis-built"; then
        rm -rf "$hadoop"
        mkdir -p "$hadoop"
        cp -R "$root/hdfs-fixture/target/lib" "$hadoop/lib"
        # Another user reads the files in the containers, so the permissions must not depend on the umask
        chmod -R a+rX "$hadoop/lib"
        touch "$hadoop/.albis-built"
    fi
    zip=$(plugin_zip)
    # Compares with the stamps of the builds, because the built files may have the time of the last commit
    if ! is_current "$trino/.albis-built" "$root/target/.albis-built" "$root/launcher/target/.albis-built" "$root/etc" || [ "$(cat "$trino/.albis-built")" != "$ALBIS_TRINO_BASE_IMAGE" ]; then
        run_quietly "Unpacking the plugin" "$work/build-images.log" assemble_trino "$zip" "$trino"
        echo "$ALBIS_TRINO_BASE_IMAGE" >"$trino/.albis-built"
    fi
    unlock_build
}

assemble_trino() {
    local zip=$1 target=$2
    rm -rf "$target"
    mkdir -p "$target/trino" "$target/plugin" "$target/etc/catalog"
    (in_directory "$target/plugin" "$JAVA_HOME/bin/jar" xf "$zip")
    mv "$target"/plugin/albis-trino-* "$target/plugin/albis"
    # Ignores the registry, because its name may contain trino
    case ${ALBIS_TRINO_BASE_IMAGE##*/} in
        # A Trino image contains everything except the plugin
        trino*) ;;
        *)
            cp -R "$server/lib" "$target/trino/lib"
            cp "$server/launcher/albis-launcher.jar" "$target/trino/lib/"
            cp -R "$server/plugin/tpcds" "$server/plugin/tpch" "$target/plugin/"
            ;;
    esac
    cp "$root/etc/jvm.config" "$root/etc/log.properties" "$target/etc/"
    cp "$root/etc/catalog/tpcds.properties" "$root/etc/catalog/tpch.properties" "$target/etc/catalog/"
    # Another user reads the files in the containers, so the permissions must not depend on the umask. Running chmod in
    # the Dockerfile instead would double the size of the image.
    chmod -R a+rX "$target"
}

# build_images PROFILE: builds the images of the services in a profile
build_images() {
    case $1 in
        hdfs) run_quietly "Building the images" "$work/build-images.log" compose hdfs build namenode coordinator ;;
        local) run_quietly "Building the image" "$work/build-images.log" compose local build local-coordinator ;;
    esac
}

# --- commands ------------------------------------------------------------------------------------------------------

docker_up() {
    docker_settings
    local profile=hdfs nodes=$((ALBIS_WORKERS + 1)) log=$work/docker-up.log other=local-coordinator
    local folders=("$ALBIS_NAMENODE_DATA" "$ALBIS_DATANODE1_DATA" "$ALBIS_DATANODE2_DATA" "$ALBIS_DATANODE3_DATA")
    if [ "${1:-}" = --local ]; then
        profile=local
        nodes=$((ALBIS_LOCAL_WORKERS + 1))
        other=coordinator
        folders=("$ALBIS_LOCAL_DATA")
    fi
    need_docker
    if [ -n "$(containers "$other")" ]; then
        fail "Containers of the other kind are running. Stop them first: bin/albis docker down"
    fi
    need_free_port
    assemble_images
    build_images "$profile"
    # Otherwise Docker would create the directories with root as their owner
    (umask 077 && mkdir -p "${folders[@]}")
    [ "$profile" = local ] || format_hdfs
    run_quietly "Starting the containers" "$log" compose "$profile" up -d --no-build
    run_quietly "Waiting until they are healthy" "$log" await_healthy "$profile"
    (launch await --server "$docker_uri" --nodes "$nodes")
    echo "Trino: $docker_uri/ui/ (user albis). Query it with: bin/albis docker sql"
    echo "Data:  ${folders[0]}"
    [ "${#folders[@]}" -eq 1 ] || printf '       %s\n' "${folders[@]:1}"
}

# Checks that no other cluster or program uses the port of Trino. Docker would start the other containers first, and then
# fail.
need_free_port() {
    local containers other=
    containers=$(docker ps --filter "publish=$ALBIS_PORT" --format '{{.Label "com.docker.compose.project"}} {{.Names}}')
    case $containers in
        "$ALBIS_DOCKER_PROJECT "*) return ;;
        '') ! (exec 3<>"/dev/tcp/127.0.0.1/$ALBIS_PORT") 2>/dev/null || other="Another program" ;;
        *) other="The container ${containers##* }" ;;
    esac
    [ -z "$other" ] || fail "$other uses port $ALBIS_PORT." \
        "Stop it, or use another port: add a line such as ALBIS_PORT=$((ALBIS_PORT + 1)) to docker/.env."
}

# Creates an empty file system, unless there is one. The folder of the NameNode may also be empty because its disk is
# not mounted, and the DataNodes would not start with another file system.
format_hdfs() {
    local folder
    [ ! -e "$ALBIS_NAMENODE_DATA/current/VERSION" ] || return 0
    for folder in "$ALBIS_DATANODE1_DATA" "$ALBIS_DATANODE2_DATA" "$ALBIS_DATANODE3_DATA"; do
        [ ! -e "$folder/current/VERSION" ] || fail "A DataNode has data ($folder), but the NameNode has none ($ALBIS_NAMENODE_DATA)." \
            "Mount or restore the folder of the NameNode. To begin with an empty file system, remove the folders of all nodes."
    done
    run_quietly "Formatting HDFS" "$work/docker-up.log" compose hdfs run --rm --no-deps namenode format
}

# await_healthy PROFILE: waits for the containers of a profile. There may be stopped containers of the other one.
await_healthy() {
    local end=$((SECONDS + DOCKER_HEALTH_LIMIT)) states services=
    [ "$1" = local ] || services='!'
    while [ $SECONDS -lt $end ]; do
        states=$(docker ps -a --filter "label=com.docker.compose.project=$ALBIS_DOCKER_PROJECT" \
            --format '{{.Label "com.docker.compose.service"}} {{.Names}}: {{.Status}}' | sed -n "/^local-/${services}s/^[^ ]* //p")
        if printf '%s\n' "$states" | grep -q ': Exited'; then
            printf '%s\n' "$states"
            docker logs --tail 30 "$(printf '%s\n' "$states" | sed -n 's/: Exited.*//p' | head -n 1)" 2>&1
            return 1
        fi
        printf '%s\n' "$states" | grep -vq '(healthy)' || return 0
        sleep 1
    done
    printf '%s\n' "$states" "Not healthy within $DOCKER_HEALTH_LIMIT s. Run docker logs NAME for details."
    return 1
}

need_running() {
    need_docker
    docker_settings
    if [ -z "$(containers coordinator)$(containers local-coordinator)" ]; then
        fail "No containers are running. Start them: bin/albis docker up"
    fi
    build . launcher
}

docker_tpcds() {
    need_running
    launch tpcds --server "$docker_uri" "$@"
}

docker_hdfs() {
    need_docker
    docker_settings
    local name_node
    name_node=$(containers namenode)
    [ -n "$name_node" ] || fail "No HDFS is running. Start it: bin/albis docker up"
    exec docker exec "$name_node" hdfs "$@"
}

docker_down() {
    need_docker
    docker_settings
    local all folders
    all=$(docker ps -aq --filter "label=com.docker.compose.project=$ALBIS_DOCKER_PROJECT")
    if [ -z "$all" ]; then
        echo "There are no containers."
        return
    fi
    # The settings may have changed since the containers were started, so the actual directories are looked up
    folders=$(printf '%s\n' "$all" | xargs docker inspect --format '{{range .Mounts}}{{println .Source}}{{end}}' | sed '/^$/d' | sort -u)
    run_quietly "Stopping and removing the containers" "$work/docker-down.log" compose hdfs,local down --remove-orphans
    echo "The data is kept, and bin/albis docker up uses it again. To delete it, remove these folders:"
    printf '%s\n' "$folders" | sed 's/^/  /'
}

# The images of both profiles
docker_build() {
    need_docker
    docker_settings
    assemble_images
    build_images hdfs
}

# With the profile of the cluster that is running
docker_compose() {
    local profile=hdfs
    need_docker
    docker_settings
    [ -z "$(containers local-coordinator)" ] || profile=local
    compose "$profile" "$@"
}

# The tests start separate containers with a separate port and separate directories
docker_test() {
    local code=0
    docker_build
    find_maven
    mkdir -p "$work/test"
    run_tier_of_containers || code=1
    print_summary
    return "$code"
}

run_docker() {
    [ $# -gt 0 ] || docker_misused "No docker command was given."
    local command=$1
    shift
    case $command in
        up)
            case $* in
                '' | --local) docker_up "$@" ;;
                *) docker_misused "bin/albis docker up accepts only the option --local." ;;
            esac
            ;;
        tpcds)
            [ $# -gt 0 ] || docker_misused "bin/albis docker tpcds needs --scale, as in --scale tiny or --scale 1."
            docker_tpcds "$@"
            ;;
        sizing)
            [ $# -gt 0 ] || docker_misused "bin/albis docker sizing needs --scale, as in --scale tiny or --scale 1."
            need_running
            launch sizing --server "$docker_uri" "$@"
            ;;
        sql)
            [ $# -le 1 ] || docker_misused "bin/albis docker sql takes one query: put it in quotes."
            need_running
            client "$docker_uri" "$@"
            ;;
        hdfs)
            [ $# -gt 0 ] || docker_misused "bin/albis docker hdfs needs a Hadoop command, such as dfs -ls /warehouse."
            docker_hdfs "$@"
            ;;
        compose)
            [ $# -gt 0 ] || docker_misused "bin/albis docker compose needs a command of Docker Compose, such as ps."
            docker_compose "$@"
            ;;
        down | build | test)
            [ $# -eq 0 ] || docker_misused "bin/albis docker $command takes no arguments."
            "docker_$command"
            ;;
        settings)
            [ $# -eq 0 ] || docker_misused "bin/albis docker settings takes no arguments."
            docker_print_settings
            ;;
        help | --help | -h) docker_usage ;;
        *) docker_misused "There is no command 'docker $command'." ;;
    esac
}
