"""The exit codes of a client that is made to leave, told apart from how it leaves: few commands load that."""

INTERRUPTED, TERMINATED, HUNG_UP = 130, 143, 129
SIGNALLED = {"SIGTERM": TERMINATED, "SIGHUP": HUNG_UP}
