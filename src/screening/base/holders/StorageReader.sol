// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Placed over a contract for one `eth_call`, it answers with the words of that contract's storage that are not zero
/// among the places where compilers put things. Call data, words: the counts of scalars, bases, keys and pairs, then
/// those. A scalar is a slot; a base is a mapping's slot, tried with every key in Solidity's and in Vyper's order and
/// with every pair as a mapping of mappings. Where a word may be a length, what would lie behind it is read as well.
/// Answer: slot and value in turn.
contract StorageReader {
  fallback() external {
    assembly {
      function emitIf(at, slot) -> next {
        next := at
        let value := sload(slot)
        if value {
          mstore(at, slot)
          mstore(add(at, 32), value)
          next := add(at, 64)
        }
      }
      // A short array, a long string, a list of checkpoints: the data of a length's slot.
      function check(at, slot) -> next {
        next := emitIf(at, slot)
        if gt(next, at) {
          let length := sload(slot)
          if lt(length, 1025) {
            if gt(length, 32) { length := 32 }
            mstore(0, slot)
            let data := keccak256(0, 32)
            for { let i := 0 } lt(i, length) { i := add(i, 1) } { next := emitIf(next, add(data, i)) }
          }
        }
      }
      function entry(at, key, base) -> next {
        mstore(0, key)
        mstore(32, base)
        let slot := keccak256(0, 64)
        next := check(at, slot)
        for { let i := 1 } lt(i, 4) { i := add(i, 1) } { next := emitIf(next, add(slot, i)) }
      }
      let scalars := calldataload(0)
      let bases := calldataload(32)
      let keys := calldataload(64)
      let pairs := calldataload(96)
      let firstBase := add(128, mul(scalars, 32))
      let firstKey := add(firstBase, mul(bases, 32))
      let firstPair := add(firstKey, mul(keys, 32))
      let at := 128
      for { let i := 0 } lt(i, scalars) { i := add(i, 1) } { at := check(at, calldataload(add(128, mul(i, 32)))) }
      for { let b := 0 } lt(b, bases) { b := add(b, 1) } {
        let base := calldataload(add(firstBase, mul(b, 32)))
        for { let k := 0 } lt(k, keys) { k := add(k, 1) } {
          let key := calldataload(add(firstKey, mul(k, 32)))
          at := entry(at, key, base)
          mstore(0, base)
          mstore(32, key)
          at := emitIf(at, keccak256(0, 64))
        }
        for { let p := 0 } lt(p, pairs) { p := add(p, 1) } {
          let pair := add(firstPair, mul(p, 64))
          mstore(0, calldataload(pair))
          mstore(32, base)
          let inner := keccak256(0, 64)
          at := entry(at, calldataload(add(pair, 32)), inner)
        }
      }
      return(128, sub(at, 128))
    }
  }
}
