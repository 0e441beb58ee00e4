// Stands in an account's place for the length of one eth_call and answers with the account's storage at the slots that
// the call data lists.
object "SlotReader" {
  code {
    datacopy(0, dataoffset("SlotReader_deployed"), datasize("SlotReader_deployed"))
    return(0, datasize("SlotReader_deployed"))
  }
  object "SlotReader_deployed" {
    code {
      for { let at := 0 } lt(at, calldatasize()) { at := add(at, 32) } {
        mstore(at, sload(calldataload(at)))
      }
      return(0, calldatasize())
    }
  }
}
