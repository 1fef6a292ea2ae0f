/*
 * The two functions of libsystemd that Debian's libdbus-1.a refers to. libdbus calls them to listen on an address
 * "systemd:", as a bus daemon that is started by a socket unit does; a client does not call them. The results are those
 * of libsystemd in a process without socket activation.
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
