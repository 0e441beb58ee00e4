// Init code that runs a batch of reads inside one eth_call. Nothing is deployed. Reads repeat their targets and
// arguments, so these stand once, in a table of words, and the reads name them by number: a tenth of the bytes.
//
// Appended input:  2 bytes number of words | 32 bytes per word | reads
// One read:        1 byte kind | 2 bytes target's word | rest by kind
//   0 to 250       that many arguments: 4 bytes selector | 2 bytes word per argument
//   0xfe           the target's code: nothing more
//   0xff           call data as it is: 3 bytes length | call data
//   0xfd           the same, and it may write as a transaction's call does; what follows sees what it did
// Answer, as revert data (a revert has no size limit, deployed code has):
//   32 bytes block number | 32 bytes block time | per read: 1 byte success | 3 bytes length | data
//
// Each read gets at most 3,000,000 gas (700,000 where it may write) and 32,768 bytes of answer, so that one hostile
// contract cannot starve the rest.
object "BatchReader" {
  code {
    let start := datasize("BatchReader")
    let size := sub(codesize(), start)
    codecopy(0, start, size)
    let at := add(2, mul(32, shr(240, mload(0))))
    let scratch := and(add(size, 63), not(31))
    let base := add(scratch, 8192)
    mstore(base, number())
    mstore(add(base, 32), timestamp())
    let out := add(base, 64)
    for { } lt(at, size) { } {
      let kind := byte(0, mload(at))
      let target := mload(add(2, mul(32, shr(240, mload(add(at, 1))))))
      at := add(at, 3)
      let ok := 1
      let got := 0
      switch kind
      case 0xfe {
        got := extcodesize(target)
        extcodecopy(target, add(out, 4), 0, got)
        mstore(out, or(or(shl(248, 1), shl(224, got)), shr(32, mload(add(out, 4)))))
      }
      default {
        let input := scratch
        let length := 0
        switch gt(kind, 0xfc)
        case 1 {
          length := shr(232, mload(at))
          input := add(at, 3)
          at := add(input, length)
        }
        default {
          mstore(scratch, mload(at))
          at := add(at, 4)
          length := 4
          for { let end := add(at, mul(2, kind)) } lt(at, end) { at := add(at, 2) } {
            mstore(add(scratch, length), mload(add(2, mul(32, shr(240, mload(at))))))
            length := add(length, 32)
          }
        }
        switch kind
        case 0xfd { ok := call(700000, target, 0, input, length, 0, 0) }
        default { ok := staticcall(3000000, target, input, length, 0, 0) }
        got := returndatasize()
        if gt(got, 32768) {
          ok := 0
          got := 0
        }
        mstore(out, or(shl(248, ok), shl(224, got)))
        returndatacopy(add(out, 4), 0, got)
      }
      out := add(add(out, 4), got)
    }
    revert(base, sub(out, base))
  }
}
