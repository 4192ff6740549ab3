"""How the cells of workbooks come to their values: the tool `explain_cell`."""

from sidecar_formulas.plugin import FormulasFeature as FormulasFeature
