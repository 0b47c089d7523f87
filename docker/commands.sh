# bin/albis docker: HDFS and Trino in containers. bin/albis sources this file and provides the functions that it uses.

readonly DOCKER_HEALTH_LIMIT=600
# A container that ran a single command, such as format, may remain after a kill
readonly NO_SINGLE_COMMANDS=label=com.docker.compose.oneoff=False
docker_folder=$root/docker

. "$docker_folder/settings.sh"
. "$docker_folder/images.sh"

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

# compose PROFILES ARGUMENT...: runs Docker Compose with the given profiles
compose() {
    (exec_compose "$@")
}

# exec_compose PROFILES ARGUMENT...: replaces the shell, so that a signal reaches Compose
exec_compose() {
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
    export COMPOSE_PROFILES=$profiles
    exec docker compose -f "$file" --project-directory "$docker_folder" -p "$ALBIS_DOCKER_PROJECT" "$@"
}

# containers [SERVICE]: prints the running containers of a service, or those of all services of this project
containers() {
    docker ps -q --filter "label=com.docker.compose.project=$ALBIS_DOCKER_PROJECT" --filter "$NO_SINGLE_COMMANDS" ${1:+--filter "label=com.docker.compose.service=$1"}
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
    create_folders "${folders[@]}"
    [ "$profile" = local ] || format_hdfs
    run_quietly "Starting the containers" "$log" exec_compose "$profile" up -d --no-build
    run_quietly "Waiting until they are healthy" "$log" await_healthy "$profile"
    (launch await --server "$docker_uri" --nodes "$nodes")
    echo "Trino: $docker_uri/ui/ (user albis). Query it with: bin/albis docker sql"
    echo "Data:  ${folders[0]}"
    [ "${#folders[@]}" -eq 1 ] || printf '       %s\n' "${folders[@]:1}"
}

# Otherwise, Docker would create the folders of the data with root as their owner
create_folders() {
    (umask 077 && mkdir -p "$@")
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
    local node folder
    ! has_data namenode "$ALBIS_NAMENODE_DATA" || return 0
    for node in 1 2 3; do
        folder=ALBIS_DATANODE${node}_DATA
        ! has_data "datanode$node" "${!folder}" || fail "A DataNode has data (${!folder}), but the NameNode has none ($ALBIS_NAMENODE_DATA)." \
            "Mount or restore the folder of the NameNode. To begin with an empty file system, remove the folders of all nodes."
    done
    run_quietly "Formatting HDFS" "$work/docker-up.log" exec_compose hdfs run --rm --no-deps namenode format
}

# has_data SERVICE FOLDER: checks whether the folder of a NameNode or DataNode has a file system
has_data() {
    local answer
    if [ -x "$2" ]; then
        # Formatting that a full disk has ended leaves only VERSION
        find "$2/current" -maxdepth 1 \( -name 'fsimage_*' ! -name '*.md5' -o -name 'edits_*' -o -name 'BP-*' \) -print -quit 2>/dev/null | grep -q .
        return
    fi
    # The folder belongs to another ALBIS_USER_ID, so only a container can look into it
    answer=$(compose hdfs run --rm --no-deps -T "$1" has-data 2>>"$work/docker-up.log") || true
    case $answer in
        yes | no) [ "$answer" = yes ] ;;
        *) fail "Neither you nor the container of $1 can look into $2. It must belong to the user $ALBIS_USER_ID." ;;
    esac
}

# await_healthy PROFILE: waits for the containers of a profile. There may be stopped containers of the other one.
await_healthy() {
    local end=$((SECONDS + DOCKER_HEALTH_LIMIT)) states services=
    [ "$1" = local ] || services='!'
    while [ $SECONDS -lt $end ]; do
        states=$(docker ps -a --filter "label=com.docker.compose.project=$ALBIS_DOCKER_PROJECT" --filter "$NO_SINGLE_COMMANDS" \
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
    run_quietly "Stopping and removing the containers" "$work/docker-down.log" exec_compose hdfs,local down --remove-orphans
    echo "The data is kept, and bin/albis docker up uses it again. To delete it, remove these folders:"
    printf '%s\n' "$folders" | sed 's/^/  /'
}

# The images of both profiles, and the folders, so that Docker Compose can run without bin/albis
docker_build() {
    build_all_images
    create_folders "$ALBIS_NAMENODE_DATA" "$ALBIS_DATANODE1_DATA" "$ALBIS_DATANODE2_DATA" "$ALBIS_DATANODE3_DATA" "$ALBIS_LOCAL_DATA"
}

build_all_images() {
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
    build_all_images
    lock_build
    find_maven
    unlock_build
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
