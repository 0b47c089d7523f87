package io.albis.launcher;

import java.io.IOException;
import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * A script that replaces Docker, and records what Docker Compose would run. It has these containers, including stopped
 * ones.
 *
 * @param publishing the project and the name of the container that publishes each port, or nothing
 * @param singleCommand a container that ran a single command, or nothing
 * @param data the nodes whose folders have data, separated by spaces, or unknown if no container can look into them
 */
record TestingDocker(String composeVersion, String containers, String publishing, Path calls, String singleCommand, String data)
{
    TestingDocker
    {
        requireNonNull(composeVersion, "composeVersion is null");
        requireNonNull(containers, "containers is null");
        requireNonNull(publishing, "publishing is null");
        requireNonNull(calls, "calls is null");
        requireNonNull(singleCommand, "singleCommand is null");
        requireNonNull(data, "data is null");
    }

    TestingDocker(String composeVersion, String containers, String publishing, Path calls)
    {
        this(composeVersion, containers, publishing, calls, "", "");
    }

    TestingDocker withSingleCommand(String container)
    {
        return new TestingDocker(composeVersion, containers, publishing, calls, container, data);
    }

    TestingDocker withData(String nodes)
    {
        return new TestingDocker(composeVersion, containers, publishing, calls, singleCommand, nodes);
    }

    void write(TestingCheckout checkout)
            throws IOException
    {
        checkout.writeCommand("docker",
                """
                case $* in
                    'version '* | 'compose version' | 'ps -q '*) ;;
                    'compose version --short') echo '%1$s' ;;
                    'ps -a '*'oneoff=False'*) echo '%2$s' ;;
                    'ps -a '*) printf '%%s\\n' '%2$s' '%5$s' ;;
                    'ps --filter publish='*) echo '%3$s' ;;
                    'logs '*) echo "Log of ${!#}" ;;
                    *' images') echo "$*" ;;
                    *' has-data')
                        echo "$*" | sed 's/.* -p [^ ]* //' >>'%4$s'
                        case ' %6$s ' in
                            *' unknown '*) ;;
                            *" ${*: -2:1} "*) echo yes ;;
                            *) echo no ;;
                        esac
                        ;;
                    'compose '*) echo "$*" | sed 's/.* -p [^ ]* //' >>'%4$s' ;;
                    *) exit 1 ;;
                esac
                """.formatted(composeVersion, containers.strip(), publishing, calls, singleCommand, data));
    }
}
