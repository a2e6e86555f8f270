"""Every exit code of a client (client/README), in a place that loads nothing."""

CRASHED, USAGE = 1, 2
UNREACHABLE, REFUSED, LOST = 3, 4, 5  # `line.network.Ending` says when
INTERRUPTED, TERMINATED, HUNG_UP = 130, 143, 129  # told to leave: 128 + the signal
PIPE_CLOSED = 141  # nobody reads what is printed: as a shell says of SIGPIPE
SIGNALLED = {"SIGTERM": TERMINATED, "SIGHUP": HUNG_UP}
