"""The version of this distribution, looked up only when somebody asks."""


def version() -> str:
    """The version of this distribution, or "source" where it is not installed."""
    from importlib import metadata  # noqa: PLC0415 - its import takes longer than drawing a page

    try:
        return metadata.version("facedown")
    except metadata.PackageNotFoundError:
        return "source"
