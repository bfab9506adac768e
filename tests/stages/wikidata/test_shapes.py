"""The structs read Wikidata's own JSON."""

from __future__ import annotations

import msgspec
import pytest

from stages.wikidata.shapes import EntityId, ItemData, Qualifiers, Snak, Statement, TimeData


def test_statement_of_the_present_shape() -> None:
    data = b"""{"mainsnak":{"snaktype":"value","property":"P69","hash":"x","datavalue":{"value":
      {"entity-type":"item","numeric-id":691283,"id":"Q691283"},"type":"wikibase-entityid"},"datatype":"wikibase-item"},
      "type":"statement","qualifiers":{"P582":[{"snaktype":"value","property":"P582","datavalue":{"value":{"time":
      "+1974-01-01T00:00:00Z","timezone":0,"before":0,"after":0,"precision":9,"calendarmodel":"c"},"type":"time"}}],
      "P812":[{"snaktype":"somevalue"}]},"qualifiers-order":["P582"],"id":"q42$0","rank":"normal","references":[{}]}"""
    statement = msgspec.json.decode(data, type=Statement)
    assert statement.mainsnak.datavalue == ItemData(EntityId("Q691283", 691283, "item"))
    assert isinstance(statement.qualifiers, Qualifiers)
    (end,) = statement.qualifiers.end
    assert isinstance(end.datavalue, TimeData)
    assert end.datavalue.value.precision == 9


def test_item_of_the_old_shape() -> None:
    data = b"""{"snaktype":"value","datavalue":{"type":"wikibase-entityid","value":
      {"entity-type":"item","numeric-id":5}}}"""
    assert msgspec.json.decode(data, type=Snak).datavalue == ItemData(EntityId(None, 5, "item"))


def test_unknown_kind_of_value() -> None:
    with pytest.raises(msgspec.ValidationError, match="datavalue"):
        msgspec.json.decode(b'{"snaktype":"value","datavalue":{"type":"bad","value":1}}', type=Snak)
