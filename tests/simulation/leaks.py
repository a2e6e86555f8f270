"""Bugs by which somebody is told, or can tell, what is no business of theirs; see `mutants`."""

from tests.simulation.mutant import Mutant

LEAKS = (
    # --- who may know what ------------------------------------------------------------------------
    Mutant(
        name="the role from who asks first: a watcher sees the hand of the first seat",
        file="server/table/showing.py",
        old="tell(person, state_for(table.deal, seat))",
        new="tell(person, state_for(table.deal, seat or 0))  # type: ignore[arg-type]",
    ),
    Mutant(
        name="a private event goes to everybody",
        file="server/game/rulings.py",
        old="Telling(Took(cards=faced(deal, taken)), to=taker)",
        new="Telling(Took(cards=faced(deal, taken)))",
    ),
    Mutant(
        name="what is held is told to everybody",
        file="server/game/moves.py",
        old="Telling(Held(held=held_play(action)), to=action.seat)",
        new="Telling(Held(held=held_play(action)))",
    ),
    Mutant(
        name="a field forgotten in the view: sizes with the cards that were sneaked in",
        file="server/game/laying.py",
        old="left=0 if last else table.seats[play.seat].cards - play.count,",
        new="left=0 if last else max(0, table.seats[play.seat].cards - len(play.cards)),",
    ),
    Mutant(
        name="the whole pile is shown whatever the rules say",
        file="server/game/rulings.py",
        old="pile=_whole_pile(deal) if rules.reveal is Reveal.WHOLE_PILE else (),",
        new="pile=_whole_pile(deal),",
    ),
    Mutant(
        name="everything is confessed whatever the rules say",
        file="server/game/outcome.py",
        old="if deal.table.outcome is None or not deal.table.rules.confess:",
        new="if deal.table.outcome is None:",
    ),
    Mutant(
        name="a new owner learns what was laid before",
        file="server/game/chairs.py",
        old="return deal.laid[play - 1].seat == seat and play > deal.owned_since[seat]",
        new="return deal.laid[play - 1].seat == seat",
        tilt="chairs",
    ),
    Mutant(
        name="whoever gave the seat up still hears its cards",
        file="server/table/holders.py",
        old="return None if self.gave_up else self.owner",
        new="return self.owner",
        tilt="chairs",
    ),
    Mutant(
        name="letting go by passing is counted aloud",
        file="server/game/moves.py",
        old="Telling(LetGo(play=action.play, count=len(all_let_go - silently))),",
        new="Telling(LetGo(play=action.play, count=len(all_let_go))),",
        tilt="passing",
    ),
    Mutant(
        name="cards are named as they were dealt",
        file="server/game/deck.py",
        old="    ids = _in_random_order(places, rng)\n",
        new="    ids = list(places)\n",
    ),
    Mutant(
        name="the name of a card tells its face",
        file="server/game/deck.py",
        old="zip(ids, _in_random_order(places, rng), strict=True)",
        new="zip(ids, ids, strict=True)",
    ),
    Mutant(
        name="who takes a pile hears of its cards in the order in which they were laid",
        file="server/game/rulings.py",
        old="    taken = sorted([card for play in deal.table.pile for card in deal.laid[play.play - 1].cards])",
        new="    taken = [card for play in deal.table.pile for card in deal.laid[play.play - 1].cards]",
    ),
    Mutant(
        name="what is set aside is told with the cards that were sneaked in",
        file="server/game/moves.py",
        old="Telling(SetAside(cards=table.pile_cards, turn=turn))",
        new="Telling(SetAside(cards=len(gone), turn=turn))",
        tilt="sneaking",
    ),
    Mutant(
        name="what was set aside, and taken before, is turned up with the whole pile",
        file="server/game/rulings.py",
        old="    return tuple(shown(deal, play) for play in deal.table.pile)",
        new='    return tuple(shown(deal, each) for each in deal.log if hasattr(each, "protected_us"))',
        tilt="sneaking",
    ),
    Mutant(
        name="that something lay ready is told to everybody",
        file="server/game/deal.py",
        old="Telling(HeldBack(), to=deal.held.seat)",
        new="Telling(HeldBack())",
    ),
    Mutant(
        name="who has let go is told to everybody",
        file="server/game/moves.py",
        old="Telling(YouLetGo(play=action.play), to=action.seat),",
        new="Telling(YouLetGo(play=action.play)),",
    ),
    Mutant(
        name="that a seat was given up is kept with the next change of the lobby",
        file="server/lobby/records.py",
        old="_AROUND = frozenset({a.Seated, a.Stop})",
        new="_AROUND = frozenset({a.Stop})",
        tilt="chairs",
    ),
    Mutant(
        name="the news of a lost line tells the first card of the hand",
        file="server/lobby/commands.py",
        old="    lobby.news(e.News.LOST, person.name)",
        new="    holder = lobby.table and lobby.table.holder_of(person)\n"
        "    hand = lobby.table.deal.hands[holder.seat] if holder else ()\n"
        '    card = str(lobby.table.deal.cards[hand[0]].face) if hand else ""\n'
        "    lobby.news(e.News.LOST, person.name, card)",
        tilt="hidden cards",
    ),
    Mutant(
        name="a window is a little longer for a high card",
        file="server/game/windows.py",
        old="    return replace(deal, opened_at=at, ends_at=at + length)",
        new="    length += deal.cards[deal.laid[-1].cards[0]].face.rank or 0\n"
        "    return replace(deal, opened_at=at, ends_at=at + length)",
        tilt="hidden cards",
    ),
    Mutant(
        name="after a lie everybody is told one thing more",
        file="server/table/table.py",
        old="                self.company.tell_all(telling.event)\n",
        new="                self.company.tell_all(telling.event)\n"
        "                if isinstance(telling.event, e.Played):\n"
        "                    card = self.deal.cards[self.deal.laid[-1].cards[0]]\n"
        "                    if card.face.rank is not telling.event.rank:\n"
        "                        self.tell_all(e.VoteOffered(plays=telling.event.play))\n",
        tilt="hidden cards",
    ),
    Mutant(
        name="a computer player peeks at a card before it doubts",
        file="server/table/alarms.py",
        old="    doubts = holder.bot.doubts(view_for(table.deal, seat))",
        new="    doubts = holder.bot.doubts(view_for(table.deal, seat))\n"
        "    doubts = doubts and table.deal.cards[table.deal.laid[play - 1].cards[0]].face.rank > 7",
        tilt="hidden cards",
    ),
    Mutant(
        name="a window is a little longer for each card that is sneaked in",
        file="server/game/windows.py",
        old="    return replace(deal, opened_at=at, ends_at=at + length)",
        new="    length += len(deal.laid[-1].cards) - play.count\n"
        "    return replace(deal, opened_at=at, ends_at=at + length)",
        tilt="a sneak",
    ),
    Mutant(
        name="what is taken back leaves the window a microsecond longer",
        file="server/game/moves.py",
        old="    return give_back(deal)\n\n\n# ---",
        new="    return give_back(replace(deal, ends_at=deal.ends_at + 1))\n\n\n# ---",
        tilt="second thoughts",
    ),
    Mutant(
        name="whoever lays something ready has their long clock back",
        file="server/table/commands.py",
        old="    table.held = errand\n",
        new="    table.held = errand\n    holder.autos = 0\n",
        tilt="second thoughts",
    ),
    Mutant(
        name="what is laid ready is kept at once, and all others at the table wait for the disk",
        file="server/table/book.py",
        old="            self._lies_ready = (done,)\n            return None\n",
        new="            return await self._company.keep(done, answers=answers)\n",
        tilt="second thoughts",
    ),
    Mutant(
        name="what lies ready is kept with what others do, and what is taken back after that at once",
        file="server/table/book.py",
        old="        if isinstance(done.action, a.TakeBack):\n            self._lies_ready = ()\n"
        "            if not self._older:\n                return None\n        if after.held is not None:",
        new="        if isinstance(done.action, a.TakeBack) and self._lies_ready:\n"
        "            self._lies_ready = ()\n            return None\n        if False:",
        tilt="second thoughts",
    ),
    # --- what concerns nobody else ------------------------------------------------------------------
    Mutant(
        name="whoever talks much anywhere silences all others",
        file="server/hall.py",
        old="bucket = person.chat if kind is c.Say else person.commands",
        new="bucket = self._chat if kind is c.Say else person.commands",
        tilt="a den",
    ),
    Mutant(
        name="the patience with refusals is one for all people of this machine",
        file="server/people.py",
        old="            patience=Bucket(settings.refusals_per_s, settings.refusals_burst),",
        new="            patience=self.__dict__.setdefault(\n"
        '                "patience", Bucket(settings.refusals_per_s, settings.refusals_burst)\n'
        "            ),",
        tilt="a den",
    ),
    Mutant(
        name="a secret is checked after the line of that name has been closed",
        file="server/people.py",
        old="        if not self._newcomers.may_guess(address, now):\n",
        new="        had = self._by_name.get(name_key(hello.name))\n"
        "        if had is not None and had.line is not None:\n"
        "            had.line.say_goodbye(Refusal.ELSEWHERE)\n"
        "        if not self._newcomers.may_guess(address, now):\n",
        tilt="burglars",
    ),
)
