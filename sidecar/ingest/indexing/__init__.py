"""The lease holder's loop: what to look at, what to read next, committing it, and how far it is."""
