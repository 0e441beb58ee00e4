// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import { Open, Payments } from "../solidity/Coin.sol";

/// Powers that the code itself bounds, and look-alikes whose bound can be got round. Slots: 0 totalSupply, 3 owner,
/// 4 date, 5 most, 6 pair, 7 share.
abstract contract Coin is Open, Payments {
    address public owner = msg.sender;
    uint256 public date;
    uint256 public most = 1e25;
    address public pair;
    uint256 internal share = 1;

    constructor() { totalSupply = 1e27; }

    modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }

    function pay(address from, address to, uint256 amount) internal virtual override { balanceOf[from] -= amount; balanceOf[to] += amount; }
    function create(address to, uint256 amount) internal { totalSupply += amount; balanceOf[to] += amount; }
    function burn(uint256 amount) external { balanceOf[msg.sender] -= amount; totalSupply -= amount; }
}

/// New supply.
contract HonestYearly is Coin { function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date); require(n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); } }
contract HonestYearlyPercent is Coin { function mint(address to, uint256 n) external onlyOwner { require(block.timestamp > date && n <= totalSupply * 2 / 100); date = block.timestamp + 366 days; create(to, n); } }
contract HonestMonthly is Coin { function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n * 1000 <= totalSupply * 4 || n <= totalSupply / 1000 && block.timestamp >= date); require(n <= totalSupply / 1000); date = block.timestamp + 30 days; create(to, n); } }
contract NoWait is Coin { function mint(address to, uint256 n) external onlyOwner { require(n <= totalSupply / 100); create(to, n); } }
contract WaitsOnce is Coin { function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); create(to, n); } }
contract WaitChosen is Coin { function mint(address to, uint256 n, uint256 wait) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date = block.timestamp + wait; create(to, n); } }
contract CatchesUp is Coin { function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date += 365 days; create(to, n); } }
contract DateSet is Coin { function setDate(uint256 d) external onlyOwner { date = d; } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); } }
contract DateStored is Coin { function put(uint256 k, uint256 v) external onlyOwner { assembly { sstore(k, v) } } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); } }
contract DateByGuest is Coin { function run(address x, bytes calldata d) external onlyOwner { (bool ok,) = x.delegatecall(d); require(ok); } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); } }
contract ShareSet is Coin { function setShare(uint256 s) external onlyOwner { share = s; } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply * share / 100); date = block.timestamp + 365 days; create(to, n); } }
contract SupplySet is Coin { function restate(uint256 s) external onlyOwner { totalSupply = s; } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); } }
contract GivesTwice is Coin { function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); balanceOf[owner] += n; } }
contract SecondMint is Coin { function reward(address to, uint256 n) external onlyOwner { create(to, n); } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); } }
contract BoundUnchecked is Coin { function mint(address to, uint256 n) external onlyOwner { unchecked { require(block.timestamp >= date && n - 1e40 <= totalSupply / 100); } date = block.timestamp + 365 days; create(to, n); } }
contract ByteDate is Coin { function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= uint8(date) && n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); } }
contract HonestSharedDate is Coin { function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 50); date = block.timestamp + 365 days; create(to, n); } function reward(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 50); date = block.timestamp + 365 days; create(to, n); } }
contract HonestTwoDates is Coin { uint256 second; function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 100); date = block.timestamp + 365 days; create(to, n); } function reward(address to, uint256 n) external onlyOwner { require(block.timestamp >= second && n <= totalSupply / 100); second = block.timestamp + 365 days; create(to, n); } }
contract ManyDates is Coin { uint256 second; uint256 third; function mint(address to, uint256 n, uint256 which) external onlyOwner { require(n <= totalSupply / 50); if (which == 0) { require(block.timestamp >= date); date = block.timestamp + 365 days; } else if (which == 1) { require(block.timestamp >= second); second = block.timestamp + 365 days; } else { require(block.timestamp >= third); third = block.timestamp + 365 days; } create(to, n); } }
contract DateByKey is Coin { mapping(uint256 => uint256) dates; function mint(address to, uint256 n, uint256 key) external onlyOwner { require(n <= totalSupply / 50 && block.timestamp >= dates[key]); dates[key] = block.timestamp + 365 days; create(to, n); } }
contract DateInArray is Coin { uint256[9] dates; function mint(address to, uint256 n, uint256 key) external onlyOwner { require(n <= totalSupply / 50 && block.timestamp >= dates[key]); dates[key] = block.timestamp + 365 days; create(to, n); } }
contract DateOfRecipient is Coin { mapping(address => uint256) dates; function mint(address to, uint256 n) external onlyOwner { require(n <= totalSupply / 50 && block.timestamp >= dates[to]); dates[to] = block.timestamp + 365 days; create(to, n); } }
contract DatesSwapped is Coin { uint256 second; function swap() external onlyOwner { (date, second) = (second, date); } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 50); date = block.timestamp + 365 days; create(to, n); } }
contract SupplyInflated is Coin { function inflate(uint256 n) external onlyOwner { require(n <= totalSupply / 50); totalSupply += n; } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 50); date = block.timestamp + 365 days; create(to, n); } }
contract SupplyWraps is Coin { function forget(uint256 n) external onlyOwner { unchecked { totalSupply -= n; } } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 50); date = block.timestamp + 365 days; create(to, n); } }
contract HonestUncheckedBurn is Coin { function destroy(uint256 n) external { balanceOf[msg.sender] -= n; unchecked { totalSupply -= n; } } function mint(address to, uint256 n) external onlyOwner { require(block.timestamp >= date && n <= totalSupply / 50); date = block.timestamp + 365 days; create(to, n); } }

/// Limits on transfers.
contract HonestMaxAmount is Coin { function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 200); most = n; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract HonestMaxScaled is Coin { function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 1000 / 1e18); most = n * 1e18; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract HonestFixedMax is Coin { function pay(address from, address to, uint256 n) internal override { require(n <= 5e24); super.pay(from, to, n); } }
contract HonestMaxWallet is Coin { function pay(address from, address to, uint256 n) internal override { if (from == pair) require(balanceOf[to] + n <= most); super.pay(from, to, n); } }
contract HonestWalletButPair is Coin { function pay(address from, address to, uint256 n) internal override { if (to != pair) require(balanceOf[to] + n <= most); super.pay(from, to, n); } }
contract ManyLimits is Coin { mapping(address => uint256) public limits; function setMost(address a, uint256 n) external onlyOwner { require(n >= totalSupply / 200); limits[a] = n; } function pay(address from, address to, uint256 n) internal override { require(n <= limits[from]); super.pay(from, to, n); } }
contract FloorInflatedAway is Coin { function restate(uint256 n) external onlyOwner { require(n >= totalSupply / 2); totalSupply = n; } function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 200); most = n; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract FloorWraps is Coin { function inflate(uint256 n) external onlyOwner { unchecked { totalSupply += n; } } function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 200); most = n; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract SumOfDay is Coin { mapping(address => uint256) sold; function pay(address from, address to, uint256 n) internal override { sold[from] += n; require(sold[from] <= most); super.pay(from, to, n); } }
contract LimitOnce is Coin { mapping(address => bool) done; function pay(address from, address to, uint256 n) internal override { require(!done[from] && n <= most); done[from] = to == pair; super.pay(from, to, n); } }
contract HonestRaisedMost is Coin { function setMost(uint256 n) external onlyOwner { require(n > most); most = n; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract RaisedTooLate is Coin { function setMost(uint256 n) external onlyOwner { most = n; require(n >= most); } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract RaisedByMore is Coin { function raise(uint256 n) external onlyOwner { unchecked { most += n; } } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract NoFloor is Coin { function setMost(uint256 n) external onlyOwner { most = n; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract LowFloor is Coin { function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 1e6); most = n; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract CeilingForFloor is Coin { function setMost(uint256 n) external onlyOwner { require(n <= totalSupply / 200); most = n; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract FloorOfShownSupply is Coin { function restate(uint256 s) external onlyOwner { totalSupply = s; } function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 200); most = n; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract ScaledWraps is Coin { function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 1000 / 1e18); unchecked { most = n * 1e18; } } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract SecondSetter is Coin { function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 200); most = n; } function off(bool b) external onlyOwner { most = b ? 0 : most; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract ShrinksWithUse is Coin { function pay(address from, address to, uint256 n) internal override { require(n <= most); most -= n / 2; super.pay(from, to, n); } }
contract MaxOfSender is Coin { function pay(address from, address to, uint256 n) internal override { require(balanceOf[from] <= most); super.pay(from, to, n); } }
contract LeastAmount is Coin { function pay(address from, address to, uint256 n) internal override { require(n >= most); super.pay(from, to, n); } }
contract WalletPairSet is Coin { function setPair(address p) external onlyOwner { pair = p; } function pay(address from, address to, uint256 n) internal override { if (from == pair) require(balanceOf[to] + n <= most); super.pay(from, to, n); } }
contract WalletOfAll is Coin { function pay(address from, address to, uint256 n) internal override { require(balanceOf[to] + n <= most); super.pay(from, to, n); } }
contract TaxedAbove is Coin { function pay(address from, address to, uint256 n) internal override { if (n > most) { super.pay(from, owner, n - n / 100); n = n / 100; } super.pay(from, to, n); } }
contract SilentAbove is Coin { function pay(address from, address to, uint256 n) internal override { if (n <= most) super.pay(from, to, n); } }
contract LosesAbove is Coin { function pay(address from, address to, uint256 n) internal override { if (to == pair && n > most) { balanceOf[from] -= n; totalSupply -= n; return; } super.pay(from, to, n); } }
contract FloorSumWraps is Coin { function setMost(uint256 n) external onlyOwner { require(n != totalSupply / 200); unchecked { most = n + totalSupply / 200; } } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract FloorCutOff is Coin { function setMost(uint256 n) external onlyOwner { require(n >= totalSupply / 200); most = uint64(n); } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract FloorSquared is Coin { function setMost() external onlyOwner { most = totalSupply * totalSupply / 2e27; } function pay(address from, address to, uint256 n) internal override { require(n <= most); super.pay(from, to, n); } }
contract WalletShiftedPair is Coin { function pay(address from, address to, uint256 n) internal override { if (uint256(uint160(to)) << 96 != uint256(uint160(pair))) require(balanceOf[to] + n <= most); super.pay(from, to, n); } }
contract TaxWraps is Coin { function setShare(uint256 n) external onlyOwner { require(n != 5); unchecked { share = 5 - n; } } function pay(address from, address to, uint256 n) internal override { unchecked { uint256 tax = n * share / 100; require(balanceOf[from] >= n); balanceOf[from] -= n; balanceOf[to] += n - tax; } } }
