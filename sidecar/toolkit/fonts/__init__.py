"""Fonts: the files of this machine and of its user, and what the tables of one say."""
