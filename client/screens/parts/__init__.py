"""What the pages are made of: hand, pile, seats, log, bars, and text measured in cells."""
