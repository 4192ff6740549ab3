"""Filled-in forms: values of fields in the text of their page, with the labels printed beside them."""
