class AccountMeta:
    def __init__(self, pubkey, is_signer, is_writable):
        self.pubkey, self.is_signer, self.is_writable = pubkey, is_signer, is_writable


class Instruction:
    def __init__(self, program_id, data, accounts):
        self.program_id, self.data, self.accounts = program_id, data, accounts
