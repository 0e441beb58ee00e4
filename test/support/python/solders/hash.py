from .base import base58


class Hash:
    def __init__(self, data):
        self._data = data

    def __bytes__(self):
        return self._data

    @staticmethod
    def from_string(text):
        return Hash(base58(text).rjust(32, b"\x00"))
