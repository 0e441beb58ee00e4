def _length(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _length(number >> 7)


class MessageV0:
    def __init__(self, data, signers):
        self._data, self.signers = data, signers

    def __bytes__(self):
        return self._data

    @staticmethod
    def try_compile(payer, instructions, lookup_tables, blockhash):
        assert lookup_tables == []
        roles = {payer: [True, True]}
        for one in instructions:
            for meta in one.accounts:
                role = roles.setdefault(meta.pubkey, [False, False])
                role[0], role[1] = role[0] or meta.is_signer, role[1] or meta.is_writable
            roles.setdefault(one.program_id, [False, False])
        kinds = [(True, True), (True, False), (False, True), (False, False)]
        keys = [key for kind in kinds for key, role in roles.items() if tuple(role) == kind]
        count = [sum(tuple(role) == kind for role in roles.values()) for kind in kinds]
        body = b"".join(
            bytes([keys.index(one.program_id)])
            + _length(len(one.accounts))
            + bytes(keys.index(meta.pubkey) for meta in one.accounts)
            + _length(len(one.data))
            + one.data
            for one in instructions
        )
        head = bytes([128, count[0] + count[1], count[1], count[3]])
        data = head + _length(len(keys)) + b"".join(map(bytes, keys)) + bytes(blockhash)
        return MessageV0(data + _length(len(instructions)) + body + b"\x00", keys[: count[0] + count[1]])
