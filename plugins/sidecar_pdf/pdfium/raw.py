"""pdfium's C functions bound with integer handles: the one place that knows their signatures.

pypdfium2's own bindings type every handle as a pointer to a struct; building those pointers costs as much as the call.
Word by word reading makes some thousand calls a page, so the functions are bound again here from the same library, with
handles as plain integers (0 is null). Even so, half the time of a call goes into converting what it is given: what is
given again and again is an `Argument`, which is converted once. Calls are documented in pdfium's public headers
(fpdfview.h, fpdf_text.h, fpdf_edit.h, fpdf_annot.h, fpdf_doc.h, fpdf_attachment.h)."""

import ctypes
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_uint, c_ulong, c_void_p
from typing import Any, Generic, Literal, TypeVar, cast

import pypdfium2.raw as _c

Call = Callable[..., int]
Argument = object
"""A pointer as ctypes hands it on."""
_NUMBER_BYTES = 4
"""Of a float as of an unsigned number."""


class Rect(ctypes.Structure):
    """FS_RECTF: in page space, y upwards."""

    _fields_ = (("left", c_float), ("top", c_float), ("right", c_float), ("bottom", c_float))


_Number = TypeVar("_Number", int, float)


class Numbers(Generic[_Number]):
    """Numbers that calls write again and again: at `addresses`, the first of which is `address`, to be read as
    `values`. All at once they are read in half the time that the fields of a structure take."""

    __slots__ = ("_numbers", "address", "addresses", "values")

    def __init__(self, numbers: ctypes.Array[Any], kind: Literal["f", "I"]) -> None:
        self._numbers = numbers
        start, size = ctypes.addressof(numbers), ctypes.sizeof(numbers)
        self.addresses = tuple(_argument(at) for at in range(start, start + size, _NUMBER_BYTES))
        self.address = self.addresses[0]
        self.values: Sequence[_Number] = cast(Any, memoryview(numbers).cast("B").cast(kind))


def floats(count: int) -> Numbers[float]:
    """Room for so many numbers of C's type float."""
    return Numbers((c_float * count)(), "f")


def integers(count: int) -> Numbers[int]:
    """Room for so many numbers of C's type unsigned int."""
    return Numbers((c_uint * count)(), "I")


class Matrix(ctypes.Structure):
    """FS_MATRIX: x' = a x + c y + e, y' = b x + d y + f."""

    _fields_ = (("a", c_float), ("b", c_float), ("c", c_float), ("d", c_float), ("e", c_float), ("f", c_float))


class FormFillInfo(ctypes.Structure):
    """FPDF_FORMFILLINFO, version 2 without callbacks: pdfium reads fields and never calls back."""

    _fields_ = (("version", c_int), ("callbacks", c_void_p * 40))


def _argument(pointer: int) -> Argument:
    return c_void_p.from_param(pointer)


def _bind(name: str, result: Any, *arguments: Any) -> Call:
    """A function that answers at once, so that giving up the interpreter's lock for it would cost more than it. It may
    be given more than the `arguments` named: small numbers and each `Argument` need no type."""
    return _bound(ctypes.PYFUNCTYPE(result, *arguments), name)


def _bind_long(name: str, result: Any, *arguments: Any) -> Call:
    """A function that may take long, while other threads run."""
    return _bound(ctypes.CFUNCTYPE(result, *arguments), name)


def _bound(prototype: Any, name: str) -> Call:
    return prototype(ctypes.cast(getattr(_c, name), c_void_p).value)


_H = c_void_p
_BUFFER = c_void_p
_FLOATS = POINTER(c_float)
_INT = POINTER(c_int)
_UINT = POINTER(c_uint)
_RECT = POINTER(Rect)
_MATRIX = POINTER(Matrix)

load_document = _bind_long("FPDF_LoadMemDocument64", _H, c_char_p, ctypes.c_size_t, c_char_p)
close_document = _bind_long("FPDF_CloseDocument", None, _H)
last_error = _bind("FPDF_GetLastError", c_ulong)
page_count = _bind("FPDF_GetPageCount", c_int, _H)
file_version = _bind("FPDF_GetFileVersion", c_int, _H, _INT)
meta_text = _bind("FPDF_GetMetaText", c_ulong, _H, c_char_p, _BUFFER, c_ulong)
language = _bind("FPDFCatalog_GetLanguage", c_ulong, _H, _BUFFER, c_ulong)
page_label = _bind("FPDF_GetPageLabel", c_ulong, _H, c_int, _BUFFER, c_ulong)
form_type = _bind("FPDF_GetFormType", c_int, _H)
init_forms = _bind_long("FPDFDOC_InitFormFillEnvironment", _H, _H, c_void_p)
exit_forms = _bind("FPDFDOC_ExitFormFillEnvironment", None, _H)
draw_forms = _bind_long("FPDF_FFLDraw", None, _H, _H, _H, c_int, c_int, c_int, c_int, c_int, c_int)

load_page = _bind_long("FPDF_LoadPage", _H, _H, c_int)
close_page = _bind_long("FPDF_ClosePage", None, _H)
page_width = _bind("FPDF_GetPageWidthF", c_float, _H)
page_height = _bind("FPDF_GetPageHeightF", c_float, _H)
page_rotation = _bind("FPDFPage_GetRotation", c_int, _H)
page_bounds = _bind("FPDF_GetPageBoundingBox", c_int, _H, _RECT)

_load_text = _bind_long("FPDFText_LoadPage", _H, _H)
close_text = _bind("FPDFText_ClosePage", None, _H)
count_chars = _bind("FPDFText_CountChars", c_int, _H)
get_text = _bind("FPDFText_GetText", c_int, _H, c_int, c_int, _BUFFER)
char_index = _bind("FPDFText_GetCharIndexFromTextIndex", c_int)
text_index = _bind("FPDFText_GetTextIndexFromCharIndex", c_int)
char_code = _bind("FPDFText_GetUnicode", c_uint)
loose_box = _bind("FPDFText_GetLooseCharBox", c_int)
is_generated = _bind("FPDFText_IsGenerated", c_int)
char_box = _bind("FPDFText_GetCharBox", c_int, _H, c_int, *[POINTER(c_double)] * 4)
text_object = _bind("FPDFText_GetTextObject", _H)
char_matrix = _bind("FPDFText_GetMatrix", c_int)
char_origin = _bind("FPDFText_GetCharOrigin", c_int, _H, c_int, POINTER(c_double), POINTER(c_double))
map_error = _bind("FPDFText_HasUnicodeMapError", c_int)

text_font = _bind("FPDFTextObj_GetFont", _H, _H)
text_size = _bind("FPDFTextObj_GetFontSize", c_int, _H)
text_mode = _bind("FPDFTextObj_GetTextRenderMode", c_int, _H)
set_text_mode = _bind("FPDFTextObj_SetTextRenderMode", c_int, _H, c_int)
font_name = _bind("FPDFFont_GetBaseFontName", ctypes.c_size_t, _H, _BUFFER, ctypes.c_size_t)
font_weight = _bind("FPDFFont_GetWeight", c_int, _H)
font_embedded = _bind("FPDFFont_GetIsEmbedded", c_int, _H)
font_data = _bind_long("FPDFFont_GetFontData", c_int, _H, _BUFFER, ctypes.c_size_t, POINTER(ctypes.c_size_t))
glyph_width = _bind("FPDFFont_GetGlyphWidth", c_int, _H, c_uint, c_float, _FLOATS)
font_ascent = _bind("FPDFFont_GetAscent", c_int, _H, c_float, _FLOATS)
font_descent = _bind("FPDFFont_GetDescent", c_int, _H, c_float, _FLOATS)
font_flags = _bind("FPDFFont_GetFlags", c_int, _H)

count_objects = _bind("FPDFPage_CountObjects", c_int, _H)
get_object = _bind("FPDFPage_GetObject", _H, _H, c_int)
remove_object = _bind("FPDFPage_RemoveObject", c_int, _H, _H)
destroy_object = _bind("FPDFPageObj_Destroy", None, _H)
count_form_objects = _bind("FPDFFormObj_CountObjects", c_int, _H)
get_form_object = _bind("FPDFFormObj_GetObject", _H, _H, c_ulong)
object_type = _bind("FPDFPageObj_GetType", c_int, _H)
TEXT, PATH, IMAGE, SHADING, FORM = 1, 2, 3, 4, 5
"""What `object_type` gives: FPDF_PAGEOBJ_TEXT and so on."""
object_bounds = _bind("FPDFPageObj_GetBounds", c_int, _H)
object_matrix = _bind("FPDFPageObj_GetMatrix", c_int, _H, _MATRIX)
has_transparency = _bind("FPDFPageObj_HasTransparency", c_int, _H)
clip_path = _bind("FPDFPageObj_GetClipPath", _H, _H)
count_marks = _bind("FPDFPageObj_CountMarks", c_int, _H)
get_mark = _bind("FPDFPageObj_GetMark", _H, _H, c_ulong)
mark_name = _bind("FPDFPageObjMark_GetName", c_int, _H, _BUFFER, c_ulong, POINTER(c_ulong))
mark_bytes = _bind("FPDFPageObjMark_GetParamBlobValue", c_int, _H, c_char_p, _BUFFER, c_ulong, POINTER(c_ulong))
remove_mark_entry = _bind("FPDFPageObjMark_RemoveParam", c_int, _H, _H, c_char_p)
set_mark_bytes = _bind("FPDFPageObjMark_SetBlobParam", c_int, _H, _H, _H, c_char_p, c_char_p, c_ulong)
count_clips = _bind("FPDFClipPath_CountPaths", c_int, _H)
count_clip_segments = _bind("FPDFClipPath_CountPathSegments", c_int, _H, c_int)
clip_segment = _bind("FPDFClipPath_GetPathSegment", _H, _H, c_int, c_int)
transform_object = _bind("FPDFPageObj_Transform", None, _H, c_double, c_double, c_double, c_double, c_double, c_double)
fill_color = _bind("FPDFPageObj_GetFillColor", c_int, _H)
set_fill_color = _bind("FPDFPageObj_SetFillColor", c_int, _H, c_uint, c_uint, c_uint, c_uint)
set_active = _bind("FPDFPageObj_SetIsActive", c_int, _H, c_int)
stroke_color = _bind("FPDFPageObj_GetStrokeColor", c_int, _H)
stroke_width = _bind("FPDFPageObj_GetStrokeWidth", c_int, _H, _FLOATS)
set_stroke_width = _bind("FPDFPageObj_SetStrokeWidth", c_int, _H, c_float)
draw_mode = _bind("FPDFPath_GetDrawMode", c_int, _H, _INT, _INT)
count_segments = _bind("FPDFPath_CountSegments", c_int, _H)
get_segment = _bind("FPDFPath_GetPathSegment", _H, _H, c_int)
segment_point = _bind("FPDFPathSegment_GetPoint", c_int, _H)
segment_type = _bind("FPDFPathSegment_GetType", c_int, _H)
LINE, BEZIER = 0, 1
"""What `segment_type` gives: FPDF_SEGMENT_LINETO and FPDF_SEGMENT_BEZIERTO."""

image_size = _bind("FPDFImageObj_GetImagePixelSize", c_int, _H, _UINT, _UINT)
image_raw = _bind_long("FPDFImageObj_GetImageDataRaw", c_ulong, _H, _BUFFER, c_ulong)
image_filters = _bind("FPDFImageObj_GetImageFilterCount", c_int, _H)
image_filter = _bind("FPDFImageObj_GetImageFilter", c_ulong, _H, c_int, _BUFFER, c_ulong)
image_bitmap = _bind_long("FPDFImageObj_GetBitmap", _H, _H)

new_bitmap = _bind("FPDFBitmap_CreateEx", _H, c_int, c_int, c_int, c_void_p, c_int)
free_bitmap = _bind("FPDFBitmap_Destroy", None, _H)
fill_bitmap = _bind("FPDFBitmap_FillRect", None, _H, c_int, c_int, c_int, c_int, c_uint)
bitmap_buffer = _bind("FPDFBitmap_GetBuffer", c_void_p, _H)
bitmap_width = _bind("FPDFBitmap_GetWidth", c_int, _H)
bitmap_height = _bind("FPDFBitmap_GetHeight", c_int, _H)
bitmap_stride = _bind("FPDFBitmap_GetStride", c_int, _H)
bitmap_format = _bind("FPDFBitmap_GetFormat", c_int, _H)
render = _bind_long("FPDF_RenderPageBitmap", None, _H, _H, c_int, c_int, c_int, c_int, c_int, c_int)

first_bookmark = _bind("FPDFBookmark_GetFirstChild", _H, _H, _H)
next_bookmark = _bind("FPDFBookmark_GetNextSibling", _H, _H, _H)
bookmark_title = _bind("FPDFBookmark_GetTitle", c_ulong, _H, _BUFFER, c_ulong)
bookmark_dest = _bind("FPDFBookmark_GetDest", _H, _H, _H)
bookmark_action = _bind("FPDFBookmark_GetAction", _H, _H)
action_type = _bind("FPDFAction_GetType", c_ulong, _H)
action_dest = _bind("FPDFAction_GetDest", _H, _H, _H)
action_uri = _bind("FPDFAction_GetURIPath", c_ulong, _H, _H, _BUFFER, c_ulong)
action_file = _bind("FPDFAction_GetFilePath", c_ulong, _H, _BUFFER, c_ulong)
dest_page = _bind("FPDFDest_GetDestPageIndex", c_int, _H, _H)

count_annotations = _bind("FPDFPage_GetAnnotCount", c_int, _H)
get_annotation = _bind("FPDFPage_GetAnnot", _H, _H, c_int)
close_annotation = _bind("FPDFPage_CloseAnnot", None, _H)
annotation_subtype = _bind("FPDFAnnot_GetSubtype", c_int, _H)
annotation_rect = _bind("FPDFAnnot_GetRect", c_int, _H, _RECT)
annotation_flags = _bind("FPDFAnnot_GetFlags", c_int, _H)
annotation_string = _bind("FPDFAnnot_GetStringValue", c_ulong, _H, c_char_p, _BUFFER, c_ulong)
annotation_link = _bind("FPDFAnnot_GetLink", _H, _H)
annotation_file = _bind("FPDFAnnot_GetFileAttachment", _H, _H)
annotation_linked = _bind("FPDFAnnot_GetLinkedAnnot", _H, _H, c_char_p)
annotation_appearance = _bind("FPDFAnnot_GetAP", c_ulong, _H, c_int, _BUFFER, c_ulong)
flatten = _bind_long("FPDFPage_Flatten", c_int, _H, c_int)
link_action = _bind("FPDFLink_GetAction", _H, _H)
link_dest = _bind("FPDFLink_GetDest", _H, _H, _H)
field_type = _bind("FPDFAnnot_GetFormFieldType", c_int, _H, _H)
field_flags = _bind("FPDFAnnot_GetFormFieldFlags", c_int, _H, _H)
field_size = _bind("FPDFAnnot_GetFontSize", c_int, _H, _H, _FLOATS)
field_name = _bind("FPDFAnnot_GetFormFieldName", c_ulong, _H, _H, _BUFFER, c_ulong)
field_alternate = _bind("FPDFAnnot_GetFormFieldAlternateName", c_ulong, _H, _H, _BUFFER, c_ulong)
field_value = _bind("FPDFAnnot_GetFormFieldValue", c_ulong, _H, _H, _BUFFER, c_ulong)
option_count = _bind("FPDFAnnot_GetOptionCount", c_int, _H, _H)
option_label = _bind("FPDFAnnot_GetOptionLabel", c_ulong, _H, _H, c_int, _BUFFER, c_ulong)
option_selected = _bind("FPDFAnnot_IsOptionSelected", c_int, _H, _H, c_int)

attachment_count = _bind("FPDFDoc_GetAttachmentCount", c_int, _H)
get_attachment = _bind("FPDFDoc_GetAttachment", _H, _H, c_int)
attachment_name = _bind("FPDFAttachment_GetName", c_ulong, _H, _BUFFER, c_ulong)
attachment_subtype = _bind("FPDFAttachment_GetSubtype", c_ulong, _H, _BUFFER, c_ulong)
attachment_file = _bind_long("FPDFAttachment_GetFile", c_int, _H, _BUFFER, c_ulong, POINTER(c_ulong))

xfa_packets = _bind("FPDF_GetXFAPacketCount", c_int, _H)
xfa_packet_name = _bind("FPDF_GetXFAPacketName", c_ulong, _H, c_int, _BUFFER, c_ulong)
xfa_packet = _bind("FPDF_GetXFAPacketContent", c_int, _H, c_int, _BUFFER, c_ulong, POINTER(c_ulong))

is_tagged = _bind("FPDFCatalog_IsTagged", c_int, _H)
load_tags = _bind("FPDF_StructTree_GetForPage", _H, _H)
close_tags = _bind("FPDF_StructTree_Close", None, _H)
count_tree_children = _bind("FPDF_StructTree_CountChildren", c_int, _H)
tree_child = _bind("FPDF_StructTree_GetChildAtIndex", _H, _H, c_int)
element_type = _bind("FPDF_StructElement_GetType", c_ulong, _H, _BUFFER, c_ulong)
count_element_children = _bind("FPDF_StructElement_CountChildren", c_int, _H)
element_child = _bind("FPDF_StructElement_GetChildAtIndex", _H, _H, c_int)
child_content = _bind("FPDF_StructElement_GetChildMarkedContentID", c_int, _H, c_int)
count_attributes = _bind("FPDF_StructElement_GetAttributeCount", c_int, _H)
element_attribute = _bind("FPDF_StructElement_GetAttributeAtIndex", _H, _H, c_int)
attribute_value = _bind("FPDF_StructElement_Attr_GetValue", _H, _H, c_char_p)
number_value = _bind("FPDF_StructElement_Attr_GetNumberValue", c_int, _H, _FLOATS)
marked_content = _bind("FPDFPageObj_GetMarkedContentID", c_int, _H)


def load_text(page: int) -> Argument:
    """The text of a loaded page, for the functions of text and `close_text`; None where there is none."""
    text_page = _load_text(page)
    return _argument(text_page) if text_page else None


Encoding = Literal["utf-16-le", "utf-8"]
_SHORT = 256
"""Bytes of nearly all texts, which are asked for once: pdfium writes nothing into a buffer that is too small."""


def string(call: Call, *arguments: Any, encoding: Encoding = "utf-16-le") -> str:
    """The text of a call that takes `(…, buffer, bytes)` and returns the bytes needed, terminator included."""
    buffer = ctypes.create_string_buffer(_SHORT)
    needed = call(*arguments, buffer, _SHORT)
    unit = 2 if encoding == "utf-16-le" else 1
    if needed <= unit:
        return ""
    if needed > _SHORT:
        needed = min(needed, 1 << 24)
        buffer = ctypes.create_string_buffer(needed)
        call(*arguments, buffer, needed)
    return buffer.raw[: needed - unit].decode(encoding, "replace").split("\0", 1)[0]


def octets(call: Call, *arguments: Any) -> bytes:
    """The bytes of a call that takes `(…, buffer, bytes)` and returns the length."""
    needed = call(*arguments, None, 0)
    if needed <= 0:
        return b""
    buffer = ctypes.create_string_buffer(needed)
    call(*arguments, buffer, needed)
    return buffer.raw


def octets_written(call: Call, handle: int, index: int | bytes, most: int) -> bytes:
    """The bytes of a call that takes `(handle, index or key, buffer, bytes, written)`; none if more than `most`."""
    size = c_ulong()
    if not call(handle, index, None, 0, size) or not 0 < size.value <= most:
        return b""
    buffer = ctypes.create_string_buffer(size.value)
    return buffer.raw if call(handle, index, buffer, size.value, size) else b""
