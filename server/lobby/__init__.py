"""People gathered under a code: the one task that runs their lobby, and what it asks about seats, hosts, talk and faults."""
