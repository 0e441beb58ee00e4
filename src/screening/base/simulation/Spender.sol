// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Pulls tokens of whoever approved it, as routers do. Placed at a fresh address beside the probe.
contract Spender {
  function pull(address token, address from, address to, uint256 value) external {
    (bool ok, bytes memory answer) = token.call(abi.encodeWithSelector(0x23b872dd, from, to, value));
    // Old tokens return nothing; others must return true.
    require(ok && (answer.length == 0 || (answer.length >= 32 && abi.decode(answer, (uint256)) == 1)));
  }
}
