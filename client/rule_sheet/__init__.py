"""The rules for exactly one setting, and what people ask about them, with the clause of every sentence. Pure."""
