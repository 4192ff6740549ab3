"""Old Office files (MS-CFB): compound files, objects in them, their properties and drawings."""
