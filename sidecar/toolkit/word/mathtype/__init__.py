"""Equations of MathType and Equation Editor, which office files hold as objects: `equations.equation_in`."""
