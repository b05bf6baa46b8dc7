"""Why a cell cannot run, on any host or on one."""

from __future__ import annotations

from typing import Final

OBSTACLES: Final = {
    "toolFits": "{{tool}} cannot load {{service}}; set service to {{fitting}}",
    "pathService": (
        "the path {{path}} does not support {{service}}; set service to {{names}}, or choose another path"
    ),
    "pathTcpOnly": "the path {{path}} supports TCP only; set transport to tcp, or choose another path",
    "pathProxyOn": (
        "the path {{path}} does not use docker-proxy and is measured with userland-proxy on only; set "
        "userland_proxy to true"
    ),
    "noDaemon": "this host has no {{kind}} Docker daemon",
    "noLabDaemon": "this host has no lab daemon with userland-proxy {{setting}}",
    "olderWorker": "its worker is of a release without overlays between two hosts; update it",
    "noProgram": "no program {{program}} is registered on this host; use {{names}}, or register it there",
    "hostEnginePath": (
        "on the host's own Docker daemon {{path}} would open ports or change the host's networks; set "
        "engine to lab"
    ),
    "hostEnginePathClient": (
        "on the host's own Docker daemon {{path}} would open ports or change the host's networks; set "
        "engine to lab, or start the run with a client host"
    ),
    "hostEngineProgram": (
        "the host's own Docker daemon keeps its own docker-proxy; set engine to lab for another program"
    ),
    "hostEngineSetting": (
        "the host's own Docker daemon runs with userland-proxy {{own}} and is not changed; set engine "
        "to lab, or set userland_proxy to {{level}} ({{wanted}} is wanted here)"
    ),
    "settingOn": "on",
    "settingOff": "off",
    "pathUnsupported": "this host does not support the path {{path}}",
    "tooManyCpus": (
        "{{wanted}} CPUs for the server, but this host has {{cores}}; set server_cpus to at most {{most}}"
    ),
    "unknownCpu": "{{name}} names CPU {{named}}, but this host has CPUs 0 to {{last}}; name CPUs that exist",
    "unknownClientCpu": (
        "{{name}} names CPU {{named}}, but the client host has CPUs 0 to {{last}}; name CPUs that exist"
    ),
    "tooMuchMemory": "{{name}} {{size}} MiB, but this host has {{memory}} MiB; set it to at most {{most}}",
    "scaleTooLarge": (
        "scale {{scale}} needs more memory or disk than this host has; set scale to at most {{most}}"
    ),
    "policyForbids": (
        "the policy of this host: {{what}}, or ask an administrator of the installation to change the "
        "host's policy"
    ),
    "policyEngine": "{{engine}} may not be used; choose another level",
    "policyLabOn": "lab daemons with userland-proxy on",
    "policyLabOff": "lab daemons with userland-proxy off",
    "policySwarm": "the swarm of two lab daemons",
    "policyHost": "the host's own Docker daemon",
    "policyNetwork": "its network and its own Docker daemon are closed to runs; leave the cell out",
    "policyNetworkOpens": (
        "its network and its own Docker daemon are closed to runs, and overlay uses {{ports}} there; leave "
        "the cell out"
    ),
    "policyProgram": "{{program}} may not be used; use {{names}}",
    "policyPartner": "it does not name {{host}} as a partner (partners), as {{path}} between hosts needs",
    "policyLongest": (
        "warm-up and window take {{seconds}} s, at most {{most}} s are allowed; shorten duration_s"
    ),
    "overlayPorts": (
        "overlay between two hosts uses {{ports}} on both during each of its trials: it must be free there, "
        "and reachable between the two hosts alone"
    ),
    "vxlanPort": "UDP 4789",
    "pathOneHost": "the path {{path}} {{why}}; start the run without a client host",
    "pathEncrypted": (
        "is measured on a swarm of two lab daemons of one host: its encryption needs firewall rules "
        "and keys in the network of a host"
    ),
    "pathNeedsRoute": "needs a route to the containers in the other host's own routing table",
    "pathOutside": "runs its server outside Docker, which is done in a lab network only",
    "labNotReachable": (
        "a lab daemon has no address that another host can reach; set engine to host, or start the "
        "run without a client host"
    ),
    "clientCannot": "the client host {{host}} cannot run it: {{why}}",
    "noOwnDaemon": "it has no Docker daemon of its own",
    "toolNeedsTcp": "{{tool}} needs TCP, which the path {{path}} does not use; choose another path or tool",
    "abLong": (
        "{{given}}: ab keeps every request in memory and sorts them at the end; at most {{most}} s, "
        "or use wrk"
    ),
    "abLongShort": (
        "ab keeps every request in memory and sorts them at the end; at most {{most}} s, or use wrk"
    ),
    "iperfStreams": "iperf3 runs at most {{most}} streams; set clients to {{clients}} or fewer",
    "iperfSeconds": (
        "iperf3 would report {{streams}} streams for each of {{seconds}} seconds, too much to parse; "
        "set duration_s to at most {{most}} or fewer clients"
    ),
    "iperfLittle": (
        "less than {{least}} MB would be offered in {{seconds}} s; set udp_mbit_s to {{most}} or more"
    ),
    "pgbenchThreads": (
        "pgbench would silently start {{clients}} of {{threads}} threads, one for each client; set "
        "threads to at most {{most}}, or more clients"
    ),
    "pgbenchRate": (
        "{{rate}} transactions per second for {{seconds}} s are {{n}} latencies, and at most {{most}} "
        "are kept for percentiles; use a lower rate, or a shorter duration_s"
    ),
    "wrkThreads": (
        "wrk needs a connection for each of its {{threads}} threads; set threads to at most {{most}}"
    ),
    "wrkClients": (
        "{{clients}} connections over {{threads}} threads: wrk would silently open {{opened}}; set "
        "clients to a multiple of {{multiple}}"
    ),
    "wrkClientsFull": (
        "clients: {{clients}} connections over {{threads}} threads: wrk would silently open "
        "{{opened}}; set clients to a multiple of {{multiple}}"
    ),
    "proxyProgram": "the proxy program {{name}} {{reason}}",
    "programPath": "is registered as {{program}}: use its absolute path",
    "programMissing": "does not exist: no file {{program}}",
    "programNotExecutable": "cannot be executed: chmod +x {{program}}",
    "programWritable": (
        "can be changed by users other than root: chown root {{program}} and chmod go-w {{same}}"
    ),
    "programNotRegistered": "the proxy program {{program}} is not registered on this host",
    "noDockerAt": (
        "there is no Docker daemon at {{path}}; start Docker on this host, or set {{setting}} to its socket"
    ),
    "dockerHostNamed": (
        "there is no Docker daemon at {{path}}; DOCKER_HOST names {{address}}, which is not used: "
        "start Docker on this host as root, or set {{setting}} to its socket"
    ),
    "otherEngine": (
        "there is no Docker daemon at {{path}}; {{other}} is the socket of {{kind}}, which cannot be "
        "measured: start Docker on this host as root, or set {{setting}} to its socket"
    ),
    "daemonNoAnswer": "the daemon behind {{path}} does not answer: {{why}}",
    "daemonNoAnswerStart": "the daemon behind {{path}} does not answer; start Docker",
    "notDockerd": (
        "{{program}} serves {{path}}, and not dockerd; set {{setting}} to the socket of this host's dockerd"
    ),
    "daemonRootless": "the daemon behind {{path}} is rootless; only a daemon of root can be measured",
    "settingUnread": (
        "the userland-proxy setting of the host's Docker cannot be read from its firewall rules; run "
        "iptables-save or nft as root in its network namespace"
    ),
    "portsNotLocked": "a bridge's ports cannot be locked ({{why}})",
    "kernelNoDevices": "the kernel has no {{name}} devices ({{why}})",
    "kernelNoEsp": "the kernel rejects an ESP key for AES-GCM ({{why}})",
    "noIpv6Loopback": "a network namespace has no [::1] ({{why}})",
    "engineVersionUnknown": "the engine's version is unknown ({{why}})",
    "noRoutedMode": "Docker Engine {{version}} has no gateway mode routed",
    "pathUnreachable": (
        "{{path}}: with userland-proxy off nothing takes a connection from [::1] to a container that "
        "has IPv4 only; use published_loopback, or userland-proxy on"
    ),
    "noBrNetfilter": "the kernel cannot pass bridged packets to iptables (no br_netfilter)",
    "useMacvlan": "use a kernel with CONFIG_MACVLAN",
    "useIpvlan": "use a kernel with CONFIG_IPVLAN",
    "useVxlan": "use a kernel with CONFIG_VXLAN",
    "useLockedPorts": "use a kernel and iproute2 of version 5.18 or later",
    "useEsp": "use a kernel with CONFIG_INET_ESP and CONFIG_CRYPTO_GCM",
    "useIpv6": "turn IPv6 on (CONFIG_IPV6, and not ipv6.disable=1 at boot)",
    "useBrNetfilter": "use a kernel with CONFIG_BRIDGE_NETFILTER, or load the module br_netfilter",
    "installEngine": "install Docker Engine {{version}} or later",
}
