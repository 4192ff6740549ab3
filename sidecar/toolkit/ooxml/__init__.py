"""Toolkit for Office Open XML plugins: packages, charts, mathematics, SmartArt. For worker processes only."""
