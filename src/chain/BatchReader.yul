// Init code that runs a batch of reads inside one eth_call. Nothing is deployed. Reads repeat their targets and
// arguments, so these stand once, in a table of words, and the reads name them by number: a tenth of the bytes.
//
// Appended input:  2 bytes number of words | 32 bytes per word | 2 bytes length of the blocks | blocks | reads
// One read:        1 byte kind | 2 bytes target's word | rest by kind
//   0 to 250       that many arguments: 4 bytes selector | 2 bytes word per argument
//   0xfe           the target's code: nothing more
//   0xff           call data as it is: 3 bytes length | call data
//   0xfd           the same, and it may write as a transaction's call does; what follows sees what it did
//   0xfc           no call: 2 bytes where a block begins, 2 bytes where it ends, from the start of the input. Where the
//                  answer before is one address that is not zero, that address is written to the target's word and the
//                  block's reads are made; where not, this fails and they have no answers. Blocks hold no such kind.
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
    at := add(add(at, 2), shr(240, mload(at)))
    let scratch := and(add(size, 63), not(31))
    // The arguments of a call fill at most 8,004 bytes; behind them stand the block's end, where to go on, what was found.
    let base := add(scratch, 8192)
    mstore(sub(base, 96), 0)
    mstore(sub(base, 32), 0)
    mstore(base, number())
    mstore(add(base, 32), timestamp())
    let out := add(base, 64)
    for { } lt(at, size) { } {
      let kind := byte(0, mload(at))
      let place := add(2, mul(32, shr(240, mload(add(at, 1)))))
      let target := mload(place)
      at := add(at, 3)
      let ok := 1
      let got := 0
      switch kind
      case 0xfe {
        got := extcodesize(target)
        extcodecopy(target, add(out, 4), 0, got)
        mstore(out, or(or(shl(248, 1), shl(224, got)), shr(32, mload(add(out, 4)))))
      }
      case 0xfc {
        let found := mload(sub(base, 32))
        mstore(sub(base, 64), add(at, 4))
        ok := iszero(iszero(found))
        switch ok
        case 1 {
          mstore(place, found)
          mstore(sub(base, 96), shr(240, mload(add(at, 2))))
          at := shr(240, mload(at))
        }
        default { at := add(at, 4) }
        mstore(out, shl(248, ok))
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
        mstore(sub(base, 32), 0)
        if and(ok, gt(got, 31)) {
          if iszero(shr(160, mload(add(out, 4)))) { mstore(sub(base, 32), mload(add(out, 4))) }
        }
      }
      out := add(add(out, 4), got)
      if eq(at, mload(sub(base, 96))) {
        at := mload(sub(base, 64))
        mstore(sub(base, 96), 0)
      }
    }
    revert(base, sub(out, base))
  }
}
