# The settings of bin/albis docker, from the environment, docker/.env, and defaults. docker/commands.sh sources this file.

# env_value NAME: prints the value of a variable in docker/.env. Docker Compose reads this file, too, so a line that it
# could read differently is refused.
env_value() {
    local text line value
    # Editors of Windows write carriage returns and a byte order mark
    text=$(tr -d '\r' <"$docker_folder/.env" | LC_ALL=C sed $'1s/^\xef\xbb\xbf//')
    if printf '%s\n' "$text" | grep -Eq "^[[:space:]]*export[[:space:]]+$1[[:space:]]*="; then
        fail "docker/.env: write $1=VALUE without export. Some versions of Docker Compose do not read it otherwise."
    fi
    line=$(printf '%s\n' "$text" | sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" | sed 's/[[:space:]]*$//' | tail -n 1)
    case $line in
        \"*\" | \'*\') value=${line:1:${#line}-2} ;;
        *) value=$line ;;
    esac
    is_plain "$value" || fail "docker/.env: $1=$line: a value can be in quotes. It cannot contain a quote, \$, \\, or #."
    printf '%s' "$value"
}

# is_plain VALUE: checks that all versions of Docker Compose read a value in the same way
is_plain() {
    case $1 in
        *[\"\'\\\$\#]*) return 1 ;;
    esac
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

number_setting() {
    setting "$1" "$2"
    [[ ${!1} =~ ^[0-9]+$ ]] || fail "$1 must be a number, and is '${!1}'."
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
    number_setting ALBIS_PORT 8080
    number_setting ALBIS_REPLICATION 2
    number_setting ALBIS_WORKERS 2
    number_setting ALBIS_LOCAL_WORKERS 0
    setting ALBIS_TRINO_HEAP 1g
    setting ALBIS_HADOOP_HEAP 256m
    memory_setting ALBIS_TRINO_MEMORY ALBIS_TRINO_HEAP 768
    memory_setting ALBIS_HADOOP_MEMORY ALBIS_HADOOP_HEAP 448
    setting ALBIS_TRINO_BASE_IMAGE eclipse-temurin:25-jre
    setting ALBIS_HADOOP_BASE_IMAGE eclipse-temurin:25-jre
    number_setting ALBIS_USER_ID "$(id -u)"
    number_setting ALBIS_GROUP_ID "$(id -g)"
    folder_setting ALBIS_NAMENODE_DATA namenode
    folder_setting ALBIS_DATANODE1_DATA datanode1
    folder_setting ALBIS_DATANODE2_DATA datanode2
    folder_setting ALBIS_DATANODE3_DATA datanode3
    folder_setting ALBIS_LOCAL_DATA local
    docker_uri=http://127.0.0.1:$ALBIS_PORT
}

# Prints the settings as a file for Docker Compose without bin/albis
docker_print_settings() {
    local settings setting
    docker_settings
    settings=$(env | LC_ALL=C sort | grep -E '^ALBIS_(DOCKER_PROJECT|PORT|REPLICATION|(LOCAL_)?WORKERS|USER_ID|GROUP_ID|(TRINO|HADOOP)_(HEAP|MEMORY|BASE_IMAGE)|(NAMENODE|DATANODE[123]|LOCAL)_DATA)=')
    while IFS= read -r setting; do
        is_plain "$setting" || fail "$setting: Docker Compose could read this value differently, because it contains a quote, \$, \\, or #." \
            "Set ${setting%%=*} to another value, or move the checkout. bin/albis docker compose does not need the file."
    done <<<"$settings"
    printf '%s\n' "COMPOSE_PROJECT_NAME=$ALBIS_DOCKER_PROJECT" "$settings"
}
