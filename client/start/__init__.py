"""How a run of the client starts: who comes, to which server, what is to be done there first, what is asked before."""
