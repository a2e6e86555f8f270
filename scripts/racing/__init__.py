"""The parts of scripts/race: players, tables, volleys, and the judge of the server's rulings."""
