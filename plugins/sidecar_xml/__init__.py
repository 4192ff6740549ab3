"""Documents in XML vocabularies of their own: FictionBook, DocBook, JATS."""

from sidecar_xml.plugin import XmlFormat as XmlFormat
