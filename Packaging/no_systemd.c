/*
 * The two functions of libsystemd that Debian's libdbus-1.a refers to. libdbus calls them when it listens on an
 * address "systemd:", as a bus daemon started by a socket unit does; a client never gets there. The answers are
 * those of libsystemd in a process that systemd handed no sockets.
 */
int sd_listen_fds(int unset_environment)
{
    (void)unset_environment;
    return 0;
}

int sd_is_socket(int fd, int family, int type, int listening)
{
    (void)fd, (void)family, (void)type, (void)listening;
    return 0;
}
