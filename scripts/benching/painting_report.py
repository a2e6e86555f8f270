"""What people see of the measurements of the client: a table, with what is demanded."""

from benching.plan import NOTHING, Figures

ROWS = (
    ("first_paint_ms", "first paint, ms", ".0f", "< 150"),
    ("first_paint_cpu_ms", "processor time of that, ms", ".0f", ""),
    ("key_ms", "key to paint, ms", ".1f", "< 10"),
    ("tick_bytes", "bytes of a clock tick", ".0f", "< 100"),
    ("idle_bytes", "bytes while nothing changes", ".0f", "0"),
    ("storm_events_per_s", "events a second in a storm", ".0f", ""),
    ("storm_redraws_per_s", "redraws a second in it", ".1f", "<= 30"),
)


def show(client: Figures, empty: Figures, starts: int) -> None:
    """Print the client beside an empty application, and what is demanded of it."""
    print(f"{'the client on a terminal of 80x24':<34}{'client':>9}{'empty':>9}{'ratio':>9}  budget")
    times = ratios(client, empty)
    for name, label, form, budget in ROWS:
        beside = f"{empty[name]:>9{form}}" if name in empty else f"{'-':>9}"
        ratio = f"{times[name]:>8.2f}x" if name in times else f"{'-':>9}"
        print(f"  {label:<32}{client[name]:>9{form}}{beside}{ratio}  {budget}".rstrip())
    print(
        f"medians of {starts} starts of each side, in turn; "
        "empty: an application of prompt_toolkit that shows one line"
    )


def ratios(client: Figures, empty: Figures) -> Figures:
    """Each figure as a multiple of the baseline's, where there is one that is not nothing."""
    return {
        name: figure / empty[name]
        for name, figure in client.items()
        if empty.get(name, 0.0) > NOTHING
    }
