"""Data sets of statistics programs: Stata (.dta) and SPSS (.sav, .zsav)."""

from sidecar_statistics.plugin import StatisticsFormat as StatisticsFormat
