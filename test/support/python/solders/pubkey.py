import hashlib

from .base import base58, on_curve


class Pubkey:
    def __init__(self, data):
        self._data = bytes(data)

    def __bytes__(self):
        return self._data

    def __eq__(self, other):
        return bytes(self) == bytes(other)

    def __hash__(self):
        return hash(self._data)

    @staticmethod
    def from_string(text):
        return Pubkey(base58(text).rjust(32, b"\x00"))

    @staticmethod
    def find_program_address(seeds, program):
        for bump in range(255, -1, -1):
            text = b"".join(seeds) + bytes([bump]) + bytes(program) + b"ProgramDerivedAddress"
            found = hashlib.sha256(text).digest()
            if not on_curve(found):
                return Pubkey(found), bump
        raise ValueError("no address")
