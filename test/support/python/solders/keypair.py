from .base import base58, sign
from .pubkey import Pubkey


class Keypair:
    def __init__(self, secret):
        self._secret = secret

    @staticmethod
    def from_base58_string(text):
        return Keypair(base58(text).rjust(64, b"\x00"))

    def pubkey(self):
        return Pubkey(self._secret[32:])

    def sign_message(self, message):
        return sign(self._secret, message)
