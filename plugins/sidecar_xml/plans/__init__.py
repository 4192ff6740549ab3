"""Plans of projects: Microsoft Project's XML and Primavera's two formats of exchange."""
