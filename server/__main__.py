"""`facedown-server`: the process around the server, from its first import on."""

import signal


def main() -> None:
    """Run the server of the command line. Until it heeds Ctrl-C, that just ends us."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from server.program import run  # noqa: PLC0415 - it takes a while, and Ctrl-C may come meanwhile

    run()


if __name__ == "__main__":
    main()
