"""Write anew what the tests hold the client's pages to: snapshots as text, pictures as SVG."""

import sys

import picture
from tests.support.snapshots import FOLDER, path_of, shown_scenes, written


def main() -> int:
    """Write every file, and remove those of screens that are gone."""
    scenes = shown_scenes()
    kept = {path_of(name) for name in scenes}
    for path in FOLDER.glob("*.txt"):
        if path not in kept:
            path.unlink()
    FOLDER.mkdir(exist_ok=True)
    for name, scene in scenes.items():
        path_of(name).write_text(written(name, *scene), encoding="utf-8")
    sys.stdout.write(f"wrote {len(scenes)} screens to {FOLDER.relative_to(picture.ROOT)}\n")
    return picture.main([])


if __name__ == "__main__":
    sys.exit(main())
