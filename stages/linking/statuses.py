"""What can be said of an entity and a page title, as the audit's `status` says it."""

from __future__ import annotations

# The pair is an article of the build:
LINKED = "linked"  # the sitelink names the page
REDIRECTED = "redirected"  # the sitelink names a redirect to the page
PAGE_QID_ONLY = "page_qid_only"  # only the page itself names the entity
# The pair is not:
MISSING_PAGE = "missing_page"  # the sitelink's page is not in the corpus
AMBIGUOUS = "ambiguous"  # another claim to the page or the entity is better or as good
CONFLICT = "conflict"  # the page names an entity that the sitelinks put elsewhere
NO_ENTITY = "no_entity"  # nothing claims the page

ACCEPTED = (LINKED, REDIRECTED, PAGE_QID_ONLY)
STATUSES = (*ACCEPTED, MISSING_PAGE, AMBIGUOUS, CONFLICT, NO_ENTITY)
