"""Picture files as documents of one page a frame: metadata, text in the picture, and the picture itself."""

from sidecar_image.plugin import ImageFormat as ImageFormat
