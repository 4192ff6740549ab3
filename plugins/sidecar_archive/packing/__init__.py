"""Undoes what archives were packed with, and knows nothing of archives."""
