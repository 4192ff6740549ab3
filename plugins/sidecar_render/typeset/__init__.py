"""Nodes and quills drawn by the engine: quills, fonts and pictures put where it finds them, and the engine itself."""
