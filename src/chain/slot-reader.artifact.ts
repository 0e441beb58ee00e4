// Compiled from src/chain/SlotReader.yul by scripts/probe/compile.ts. Do not edit.
export const code = "0x60005b368110600d57366000f35b8035548152602001600256"
