"""What QAMPARI and MuSiQue share: facts of Wikidata, and the sentences of Wikipedia that state them."""
