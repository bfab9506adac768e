"""Sentences about films with several roles in each, written for the tests, and what the check must say of them.

Each row: property, subject, object, sentence, verdict (None where the check must let it pass).
"""

from __future__ import annotations

DIRECTOR, WRITER, PRODUCER, COMPOSER, CAST = "P57", "P58", "P162", "P86", "P161"
OTHER, SWAPPED = "other_role", "swapped_roles"

_HARBOUR = (
    "Grey Harbour is a 1974 drama film directed by Ada Lindqvist, produced by Tomas Vell and written by Ruth Okafor."
)
_TRAIN = "Written and directed by Pavel Horak, The Last Train stars Mira Jansen and was produced by Otto Brandt."
_LANTERN = "Lantern Street was directed by Ines Calder from a screenplay by Jonah Reeve, with music by Carlo Benedetti."
_ACTIVE = "Ada Lindqvist directed Grey Harbour, while Tomas Vell produced it from a script by Ruth Okafor."
_APPOSED = "Producer Tomas Vell hired director Ada Lindqvist for Grey Harbour after screenwriter Ruth Okafor declined."
_TWO = "The Salt Road, directed by Ines Calder and Pavel Horak, was produced by Otto Brandt and stars Mira Jansen."

PAIRS = (
    (DIRECTOR, "Grey Harbour", "Ada Lindqvist", _HARBOUR, None),
    (DIRECTOR, "Grey Harbour", "Tomas Vell", _HARBOUR, OTHER),
    (DIRECTOR, "Grey Harbour", "Ruth Okafor", _HARBOUR, OTHER),
    (PRODUCER, "Grey Harbour", "Tomas Vell", _HARBOUR, None),
    (PRODUCER, "Grey Harbour", "Ada Lindqvist", _HARBOUR, OTHER),
    (WRITER, "Grey Harbour", "Ruth Okafor", _HARBOUR, None),
    (WRITER, "Grey Harbour", "Tomas Vell", _HARBOUR, OTHER),
    (DIRECTOR, "The Last Train", "Pavel Horak", _TRAIN, None),
    (WRITER, "The Last Train", "Pavel Horak", _TRAIN, None),
    (DIRECTOR, "The Last Train", "Otto Brandt", _TRAIN, OTHER),
    (CAST, "The Last Train", "Mira Jansen", _TRAIN, None),
    (CAST, "The Last Train", "Otto Brandt", _TRAIN, OTHER),
    (PRODUCER, "The Last Train", "Mira Jansen", _TRAIN, OTHER),
    (PRODUCER, "The Last Train", "Pavel Horak", _TRAIN, OTHER),
    (DIRECTOR, "Lantern Street", "Ines Calder", _LANTERN, None),
    (WRITER, "Lantern Street", "Jonah Reeve", _LANTERN, None),
    (COMPOSER, "Lantern Street", "Carlo Benedetti", _LANTERN, None),
    (DIRECTOR, "Lantern Street", "Jonah Reeve", _LANTERN, OTHER),
    (WRITER, "Lantern Street", "Carlo Benedetti", _LANTERN, OTHER),
    (COMPOSER, "Lantern Street", "Ines Calder", _LANTERN, OTHER),
    (DIRECTOR, "Grey Harbour", "Ada Lindqvist", _ACTIVE, None),
    (PRODUCER, "Grey Harbour", "Tomas Vell", _ACTIVE, None),
    (WRITER, "Grey Harbour", "Ruth Okafor", _ACTIVE, None),
    (DIRECTOR, "Grey Harbour", "Tomas Vell", _ACTIVE, OTHER),
    (PRODUCER, "Grey Harbour", "Ada Lindqvist", _ACTIVE, OTHER),
    (DIRECTOR, "Grey Harbour", "Ada Lindqvist", _APPOSED, None),
    (PRODUCER, "Grey Harbour", "Tomas Vell", _APPOSED, None),
    (DIRECTOR, "Grey Harbour", "Ruth Okafor", _APPOSED, OTHER),
    (PRODUCER, "Grey Harbour", "Ada Lindqvist", _APPOSED, OTHER),
    (DIRECTOR, "The Salt Road", "Ines Calder", _TWO, None),
    (DIRECTOR, "The Salt Road", "Pavel Horak", _TWO, None),
    (DIRECTOR, "The Salt Road", "Otto Brandt", _TWO, OTHER),
    (DIRECTOR, "The Salt Road", "Mira Jansen", _TWO, OTHER),
    (PRODUCER, "The Salt Road", "Pavel Horak", _TWO, OTHER),
    # The two ends exchanged: the sentence makes the subject the director.
    (DIRECTOR, "Ada Lindqvist", "Grey Harbour", "Grey Harbour was directed by Ada Lindqvist.", SWAPPED),
    (DIRECTOR, "Ines Calder", "The Salt Road", "Ines Calder directed The Salt Road in 1981.", SWAPPED),
    # In doubt it passes: no word for a role, a role that cannot be read off, a verb too far from its subject.
    (DIRECTOR, "Grey Harbour", "Ada Lindqvist", "Grey Harbour is the best known film of Ada Lindqvist.", None),
    (DIRECTOR, "Grey Harbour", "Tomas Vell", "Tomas Vell produced the pilot and later directed Grey Harbour.", None),
    (WRITER, "Grey Harbour", "Ada Lindqvist", "Ada Lindqvist is a film director and screenwriter.", None),
    (PRODUCER, "Grey Harbour", "Ada Lindqvist", "Ada Lindqvist directed and also produced Grey Harbour herself.", None),
)
