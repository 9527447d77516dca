"""Writes the tables of encodings.c: for each encoding, the characters of bytes 0x80 to 0xff, by Python's codecs. A byte
that the encoding does not define stands for the control character with its number, as the WHATWG has it."""

import sys

CODECS = {"macintosh": "mac_roman", "mac_cyrillic": "mac_cyrillic", "koi8_r": "koi8_r", "koi8_u": "koi8_u"}
CODECS |= {f"ibm{page}": f"cp{page}" for page in (437, 850, 866)}
CODECS |= {f"iso_8859_{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)}
CODECS |= {f"windows_{page}": f"cp{page}" for page in (874, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258)}


def character(byte, codec):
    try:
        return ord(bytes([byte]).decode(codec))
    except UnicodeDecodeError:
        return byte


with open(sys.argv[1], "w", encoding="ascii") as out:
    for name, codec in CODECS.items():
        upper = ", ".join(hex(character(byte, codec)) for byte in range(0x80, 0x100))
        out.write(f"static const uint16_t {name}[128] = {{{upper}}};\n")
