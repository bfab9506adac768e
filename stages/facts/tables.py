"""What identifies a triple in the tables of facts and evidence."""

from __future__ import annotations

TRIPLE = ("subject", "property", "object")


# What identifies a triple whose object may be a quantity: 100 m and 100 ft are two. The unit is a QID, "" for none.
TRIPLE_KEY = (*TRIPLE, "unit")
