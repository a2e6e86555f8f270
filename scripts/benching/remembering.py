"""The server with a journal in memory: `python -m benching.remembering --in-memory FLAGS`.

`--in-memory` alone keeps nothing, and nobody writes down what is done. Here all that a journal on disk
is given is made and kept, by the journal's twin that the tests have. So what a journal on disk takes
beside it is what the writer thread and the disk cost.
"""

from unittest import mock

from server import program
from tests.support.memory_store import MemoryStore

if __name__ == "__main__":
    with mock.patch.object(program, "NoStore", MemoryStore):
        program.run()
