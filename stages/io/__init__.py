"""Reading of outside files: decompression and lines, with bounded memory."""
