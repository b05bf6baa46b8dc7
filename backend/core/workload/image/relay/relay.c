/* epoll-relay: a userland proxy for Docker in one thread, with recv and send instead of splice.
 *
 * It fits dockerd's --userland-proxy-path (moby, cmd/docker-proxy/main_linux.go and
 * libnetwork/portmapper/proxy_linux.go): file descriptor 3 is a pipe on which "0\n" means ready and
 * "1\n<error>" means failed; with -use-listen-fd, file descriptor 4 is the listening socket; SIGINT and
 * SIGTERM end it. It relays TCP only.
 *
 * A pair is a client's connection and the one to the container. Each end keeps what was read from it and
 * is not yet written to the other. epoll is level-triggered, and an end is only registered for what it can
 * do now: otherwise a hang-up that nobody can act on yet would be reported again and again.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STATUS_FD = 3, LISTEN_FD = 4, BUFFER = 64 * 1024, EVENTS = 64 };

struct end {
    struct pair *pair;
    struct end *other;
    int fd;
    char *buffer;
    size_t from, to;     /* buffer[from..to) waits for the other end */
    uint32_t interest;   /* what epoll watches; 0 means not registered */
    bool finished;       /* nothing more will be read from here */
    bool passed_on;      /* ... and the other side was told so */
};

struct pair {
    struct end client, container;
    bool connecting;
    struct pair *next;   /* in the list of pairs that are over */
    char buffers[2][BUFFER];
};

static int epoll_fd, listener, spare_fd, status_fd = -1;
static struct sockaddr_storage container_address;
static struct pair *over;

/* Ends the program, telling whoever waits at the status pipe why. */
__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *form, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, form);
    vsnprintf(text, sizeof text, form, arguments);
    va_end(arguments);
    fprintf(stderr, "epoll-relay: %s\n", text);
    if (status_fd >= 0) dprintf(status_fd, "1\n%s", text);
    exit(1);
}

static void on_signal(int number) {
    _exit(number == SIGINT || number == SIGTERM ? 0 : 1);
}

static socklen_t length_of(const struct sockaddr_storage *address) {
    return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

/* A literal IPv4 or IPv6 address and a port; never a name, whose meaning could change. */
static void parse_address(const char *ip, const char *port, struct sockaddr_storage *address) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    int number = port ? atoi(port) : 0;
    if (!ip || number < 1 || number > 65535)
        fail("an address or a port is missing: %s %s", ip ? ip : "", port ? port : "");
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, ip, &v4->sin_addr) == 1) v4->sin_family = AF_INET;
    else if (inet_pton(AF_INET6, ip, &v6->sin6_addr) == 1) v6->sin6_family = AF_INET6;
    else fail("not an IP address: %s", ip);
    v4->sin_port = htons((uint16_t)number); /* in the same place in both */
}

static int open_socket(const struct sockaddr_storage *address) {
    return socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int open_listener(const char *ip, const char *port) {
    struct sockaddr_storage address;
    parse_address(ip, port, &address);
    int on = 1, fd = open_socket(&address);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* dockerd starts one proxy for each family: [::] must leave 0.0.0.0 to the other. */
    if (address.ss_family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&address, length_of(&address)) < 0 || listen(fd, SOMAXCONN) < 0)
        fail("listen tcp %s:%s: %s", ip, port, strerror(errno));
    return fd;
}

static int adopt_listener(void) {
    int flags = fcntl(LISTEN_FD, F_GETFL);
    /* listen() on a socket that listens already only sets its backlog. */
    if (flags < 0 || fcntl(LISTEN_FD, F_SETFL, flags | O_NONBLOCK) < 0 || listen(LISTEN_FD, SOMAXCONN) < 0)
        fail("-use-listen-fd: file descriptor %d: %s", LISTEN_FD, strerror(errno));
    return LISTEN_FD;
}

/* As Go sets them, and so docker-proxy: without TCP_NODELAY, Nagle's algorithm would be what is measured. */
static void set_options(int fd) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

static void watch(struct end *end, uint32_t interest) {
    struct epoll_event event = {.events = interest, .data.ptr = end};
    int operation = !end->interest ? EPOLL_CTL_ADD : interest ? EPOLL_CTL_MOD : EPOLL_CTL_DEL;
    if (interest == end->interest) return;
    if (epoll_ctl(epoll_fd, operation, end->fd, &event) < 0) fail("epoll_ctl: %s", strerror(errno));
    end->interest = interest;
}

/* What an end can do now: be read while its buffer is empty, be written while the other's is not. */
static uint32_t wanted(const struct end *end) {
    const struct pair *pair = end->pair;
    if (pair->connecting) return end == &pair->container ? EPOLLOUT : 0;
    return (!end->finished && end->from == end->to ? EPOLLIN : 0) |
           (end->other->from < end->other->to ? EPOLLOUT : 0);
}

/* Events of this round may still point at the pair: its memory stays until the round is done. */
static void end_pair(struct pair *pair) {
    close(pair->client.fd);
    close(pair->container.fd);
    pair->client.fd = pair->container.fd = -1;
    pair->next = over;
    over = pair;
}

static void give_up(struct pair *pair, int error) {
    fprintf(stderr, "epoll-relay: cannot reach the container: %s\n", strerror(error));
    end_pair(pair);
}

/* As docker-proxy does after a copy ends, well or badly: CloseRead(from), CloseWrite(to). */
static void pass_on_end(struct end *from) {
    from->finished = from->passed_on = true;
    from->from = from->to = 0;
    shutdown(from->fd, SHUT_RD);
    shutdown(from->other->fd, SHUT_WR);
}

static void read_from(struct end *end) {
    ssize_t got = recv(end->fd, end->buffer, BUFFER, 0);
    if (got > 0) {
        end->from = 0;
        end->to = (size_t)got;
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        end->finished = true;
    }
}

static void write_from(struct end *end) {
    ssize_t sent = send(end->other->fd, end->buffer + end->from, end->to - end->from, MSG_NOSIGNAL);
    if (sent >= 0) end->from += (size_t)sent;
    else if (errno != EAGAIN && errno != EINTR) pass_on_end(end);
}

/* One step of one direction: at most one recv, so that no connection holds up the others. */
static void move(struct end *from, bool readable) {
    if (from->passed_on) return;
    if (readable && !from->finished && from->from == from->to) read_from(from);
    if (from->from < from->to) write_from(from);
    if (from->from == from->to && from->finished && !from->passed_on) pass_on_end(from);
}

static void handle(struct end *end, uint32_t events) {
    struct pair *pair = end->pair;
    if (end->fd < 0) return;
    if (pair->connecting) {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(pair->container.fd, SOL_SOCKET, SO_ERROR, &error, &size);
        pair->connecting = false;
        if (error != 0) {
            give_up(pair, error);
            return;
        }
    } else {
        /* An error or a hang-up is met by whichever of recv and send comes next. */
        if (events & (EPOLLIN | EPOLLERR | EPOLLHUP)) move(end, true);
        if (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) move(end->other, false);
    }
    if (pair->client.passed_on && pair->container.passed_on) {
        end_pair(pair);
        return;
    }
    watch(&pair->client, wanted(&pair->client));
    watch(&pair->container, wanted(&pair->container));
}

static struct pair *make_pair(int client, int container) {
    struct pair *pair = malloc(sizeof *pair); /* not zeroed: pages of a buffer come with its first use */
    if (!pair) fail("no memory for a connection");
    pair->connecting = true;
    pair->client = (struct end){pair, &pair->container, client, pair->buffers[0], .interest = 0};
    pair->container = (struct end){pair, &pair->client, container, pair->buffers[1], .interest = 0};
    return pair;
}

static void relay(int client) {
    int container = open_socket(&container_address); /* where none is left, connect says so */
    struct pair *pair = make_pair(client, container);
    const struct sockaddr *address = (const struct sockaddr *)&container_address;
    set_options(client);
    if (connect(container, address, length_of(&container_address)) < 0 && errno != EINPROGRESS) {
        give_up(pair, errno);
        return;
    }
    set_options(container);
    watch(&pair->container, wanted(&pair->container));
}

static void accept_one(void) {
    int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client >= 0) {
        relay(client);
    } else if (errno == EMFILE || errno == ENFILE) {
        /* The connection would stay in the queue and wake us for ever: take it and close it. */
        close(spare_fd);
        close(accept(listener, NULL, NULL));
        spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

static void prepare(void) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, listener, &event) < 0) fail("epoll: %s", strerror(errno));
}

/* The listening socket that the arguments ask for; the container's address goes where relay() finds it. */
static int listener_from(int count, char **words) {
    const char *proto = "tcp", *host_ip = NULL, *host_port = NULL, *ip = NULL, *port = NULL;
    bool use_listen_fd = false;
    const struct option known[] = {
        {"proto", required_argument, NULL, 'p'},     {"host-ip", required_argument, NULL, 'h'},
        {"host-port", required_argument, NULL, 'o'}, {"container-ip", required_argument, NULL, 'c'},
        {"use-listen-fd", no_argument, NULL, 'l'},   {"container-port", required_argument, NULL, 'n'},
        {NULL, 0, NULL, 0},
    };
    for (int word; (word = getopt_long_only(count, words, "", known, NULL)) != -1;) {
        if (word == 'p') proto = optarg;
        else if (word == 'h') host_ip = optarg;
        else if (word == 'o') host_port = optarg;
        else if (word == 'c') ip = optarg;
        else if (word == 'n') port = optarg;
        else if (word == 'l') use_listen_fd = true;
        else fail("unknown argument: %s", words[optind - 1]);
    }
    if (strcmp(proto, "tcp") != 0) fail("relays tcp only, not %s", proto);
    parse_address(ip, port, &container_address);
    return use_listen_fd ? adopt_listener() : open_listener(host_ip, host_port);
}

int main(int count, char **words) {
    struct epoll_event events[EVENTS];
    /* Started by hand there is no pipe, and descriptor 3 must not be taken for one later. */
    if (fcntl(STATUS_FD, F_GETFD) != -1) status_fd = STATUS_FD;
    listener = listener_from(count, words);
    prepare();
    if (status_fd >= 0) {
        if (dprintf(status_fd, "0\n") != 2) fail("status pipe: %s", strerror(errno));
        close(status_fd);
    }
    for (;;) {
        int ready = epoll_wait(epoll_fd, events, EVENTS, -1);
        if (ready < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr) handle(events[i].data.ptr, events[i].events);
            else accept_one();
        }
        for (struct pair *pair; (pair = over);) {
            over = pair->next;
            free(pair);
        }
    }
}
