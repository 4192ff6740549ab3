"""reStructuredText to blocks, by the docutils specification. Directives are read for what they show, none is run.

docutils itself was measured (0.23, 286 files of real projects): its parser alone takes 7.5 times as long as this,
and it finds fault with 204 of the files, most for Sphinx's directives and roles, whose content it then gives as source.
So the rules here are our own: what is unknown is shown for what it says."""
