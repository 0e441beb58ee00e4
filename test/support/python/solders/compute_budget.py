from .instruction import Instruction
from .pubkey import Pubkey

PROGRAM = Pubkey.from_string("ComputeBudget111111111111111111111111111111")


def set_compute_unit_limit(units):
    return Instruction(PROGRAM, bytes([2]) + units.to_bytes(4, "little"), [])


def set_compute_unit_price(micro_lamports):
    return Instruction(PROGRAM, bytes([3]) + micro_lamports.to_bytes(8, "little"), [])
