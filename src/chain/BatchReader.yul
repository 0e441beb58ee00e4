// Init code that runs a batch of reads inside one eth_call on a chain without Multicall3. Nothing is deployed.
//
// Appended input, per read:  20 bytes address | 3 bytes length | call data
// Answer, as revert data (a revert has no size limit, deployed code has):
//   32 bytes block number | 32 bytes block time | per read: 1 byte success | 3 bytes length | data
//
// Each read gets at most 3,000,000 gas and 32,768 bytes of answer, so that one hostile contract cannot starve the rest.
object "BatchReader" {
  code {
    let start := datasize("BatchReader")
    let size := sub(codesize(), start)
    codecopy(0, start, size)
    let base := and(add(size, 63), not(31))
    mstore(base, number())
    mstore(add(base, 32), timestamp())
    let out := add(base, 64)
    for { let at := 0 } lt(at, size) {} {
      let target := shr(96, mload(at))
      let length := shr(232, mload(add(at, 20)))
      let ok := staticcall(3000000, target, add(at, 23), length, 0, 0)
      at := add(add(at, 23), length)
      let got := returndatasize()
      if gt(got, 32768) {
        ok := 0
        got := 0
      }
      mstore(out, or(shl(248, ok), shl(224, got)))
      returndatacopy(add(out, 4), 0, got)
      out := add(add(out, 4), got)
    }
    revert(base, sub(out, base))
  }
}
