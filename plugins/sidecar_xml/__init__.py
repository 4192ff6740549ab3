"""Documents in XML vocabularies of their own: FictionBook, DocBook, JATS, feeds and more."""

from sidecar_xml.plugin import XmlFormat as XmlFormat
