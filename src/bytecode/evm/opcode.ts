/** Opcodes by their names. Source: the yellow paper and EIP-5656. */
export const OPCODE = {
  ADDRESS: 0x30,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODECOPY: 0x39,
  EXTCODESIZE: 0x3b,
  RETURNDATACOPY: 0x3e,
  MCOPY: 0x5e,
  RETURN: 0xf3
} as const
