"""Which Wikidata entity owns which Wikipedia page, with an audit of every pair."""
