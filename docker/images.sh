# The images of bin/albis docker. docker/commands.sh sources this file.

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
        hdfs) run_quietly "Building the images" "$work/build-images.log" exec_compose hdfs build namenode coordinator ;;
        local) run_quietly "Building the image" "$work/build-images.log" exec_compose local build local-coordinator ;;
    esac
}
