"""The baseline of the client: an application of prompt_toolkit that shows a line, echoes keys and ticks.

It is set up as the client is (full screen, cap on redraws), and knows no game. The line stands where
the client has its clock; F1 starts it.
"""

import asyncio
import time

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

REDRAW_S = 1 / 30
TICK_S = 0.25


SHOWN = {"key": "", "clock": ""}


def main() -> None:
    """Run until killed."""
    text = FormattedTextControl(lambda: f"ready  {SHOWN['key']:>4}  {SHOWN['clock']}")
    app: Application[None] = Application(
        layout=Layout(Window(text)),
        key_bindings=keys(),
        full_screen=True,
        min_redraw_interval=REDRAW_S,
    )
    app.after_render += title
    app.run()


def keys() -> KeyBindings:
    """Any key is shown, the same one again is not; F1 starts the clock."""
    bindings = KeyBindings()

    @bindings.add(Keys.Any)
    def _echo(event: KeyPressEvent) -> None:
        SHOWN["key"] = "" if SHOWN["key"] else event.data

    @bindings.add("f1")
    def _start(event: KeyPressEvent) -> None:
        event.app.create_background_task(tick(event.app))

    return bindings


async def tick(app: Application[None]) -> None:
    """Show the second of the minute."""
    while True:
        clock = f"{int(time.monotonic()) % 60:02}"
        if clock != SHOWN["clock"]:
            SHOWN["clock"] = clock
            app.invalidate()
        await asyncio.sleep(TICK_S)


def title(app: Application[None]) -> None:
    """Set the title, once: the client sets its own only when it changes."""
    app.output.set_title("ready")
    app.output.flush()
    app.after_render -= title


if __name__ == "__main__":
    main()
