"""Full text and embeddings: postings, ranking, filters, what was found. Texts come from `documents`."""
