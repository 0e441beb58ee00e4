class VersionedTransaction:
    def __init__(self, message, keypairs):
        data = bytes(message)
        by_key = {keypair.pubkey(): keypair for keypair in keypairs}
        # The signed bytes of a versioned message begin with its version, as the message itself does.
        self._bytes = bytes([len(message.signers)])
        self._bytes += b"".join(by_key[key].sign_message(data) for key in message.signers) + data

    def __bytes__(self):
        return self._bytes
