// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Coins of storage as upgradeable ones have it (ERC-7201), with lists beside balances. Names starting with Honest are
/// proven with their storage as it is. Slots: 0 members, 1 places, 2 friend, 3 text.
abstract contract Coin {
    /// Roots of OpenZeppelin's namespaces ERC20 and Nonces.
    bytes32 internal constant PURSE = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00;
    bytes32 internal constant NUMBERS = 0x5ab42ced628888259c08ac98db1eb0cf702fc1501344311d8b100cd1bfe4bb00;
    bytes32 internal constant INITIAL = 0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00;
    bytes32 internal constant PERMIT = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    struct Purse { mapping(address => uint256) held; mapping(address => mapping(address => uint256)) may; uint256 supply; string name; }
    struct Numbers { mapping(address => uint256) next; }
    struct Initial { uint64 version; bool running; }

    address[] internal members;
    mapping(address => uint256) internal places;
    address internal friend;
    string public text;

    function purse() internal pure returns (Purse storage p) { assembly { p.slot := PURSE } }
    function numbers() internal pure returns (Numbers storage n) { assembly { n.slot := NUMBERS } }
    function initial() internal pure returns (Initial storage i) { assembly { i.slot := INITIAL } }

    function totalSupply() external view returns (uint256) { return purse().supply; }
    function balanceOf(address who) external view returns (uint256) { return purse().held[who]; }
    function allowance(address a, address b) external view returns (uint256) { return purse().may[a][b]; }
    function approve(address b, uint256 n) external returns (bool) { purse().may[msg.sender][b] = n; return true; }
    function transfer(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); return true; }
    function transferFrom(address a, address to, uint256 n) external returns (bool) { purse().may[a][msg.sender] -= n; pay(a, to, n); return true; }
    function pay(address a, address to, uint256 n) internal virtual { purse().held[a] -= n; purse().held[to] += n; }

    modifier onlyFriend() { require(msg.sender == friend); _; }
    function join(address who) internal virtual { members.push(who); places[who] = members.length; }
    function leave(address who) internal virtual {
        uint256 at = places[who];
        require(at != 0);
        address last = members[members.length - 1];
        if (at != members.length) { members[at - 1] = last; places[last] = at; }
        members.pop();
        delete places[who];
    }
    function add(address who) external onlyFriend { join(who); }
    function remove(address who) external onlyFriend { leave(who); }
}

/// Set up once, and holders sign permits whose domain the stored name is a part of.
abstract contract Signed is Coin {
    modifier once() { Initial storage i = initial(); bool first = i.version == 0 && !i.running; require(first || (i.version == 1 && address(this).code.length == 0)); i.version = 1; _; }
    function initialize(string calldata name, address to) external virtual once { purse().name = name; purse().held[to] += 1e27; purse().supply += 1e27; }
    function domain() internal view virtual returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"), keccak256(bytes(purse().name)), keccak256("1"), block.chainid, address(this))); }
    function permit(address who, address spender, uint256 n, uint256 date, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= date);
        bytes32 fields = keccak256(abi.encode(PERMIT, who, spender, n, numbers().next[who]++, date));
        require(who != address(0) && ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), fields)), v, r, s) == who);
        purse().may[who][spender] = n;
    }
}

contract HonestMembers is Coin {}
contract HonestSigned is Signed {}
/// Proven as compilers write it when they optimise: the loop that clears the rest is counted.
contract Text is Signed { event Told(string text, string name); function tell(string calldata t) external onlyFriend { emit Told(t, purse().name); text = t; } }

/// Lists that somebody makes long, so that their ends lie among balances or numbers.
contract LengthSet is Coin { function cut(uint256 n) external onlyFriend { assembly { sstore(members.slot, n) } } }
contract LengthWraps is Coin { function leave(address who) internal override { uint256 n = members.length; unchecked { assembly { sstore(members.slot, sub(n, 1)) } } places[who] = n; } function join(address who) internal override { assembly { let n := sload(members.slot) mstore(0, members.slot) sstore(add(keccak256(0, 32), n), who) sstore(members.slot, add(n, 1)) } } }
contract LengthDoubles is Coin { function grow() external onlyFriend { uint256 n = members.length; assembly { sstore(members.slot, add(n, n)) } } }
contract LengthLeaps is Coin { function grow() external onlyFriend { uint256 n = members.length; assembly { sstore(members.slot, add(n, shl(200, 1))) } } }
contract LengthByTable is Coin { mapping(uint256 => uint256) internal notes; function note(uint256 k, uint256 v) external onlyFriend { assembly { sstore(k, v) } } }
contract IndexChosen is Coin { function put(uint256 i, address who) external onlyFriend { assembly { mstore(0, members.slot) sstore(add(keccak256(0, 32), i), who) } } }
contract IndexUnchecked is Coin { function put(uint256 i, address who) external onlyFriend { require(i <= members.length || i > 1 << 100); assembly { mstore(0, members.slot) sstore(add(keccak256(0, 32), i), who) } } }
contract IndexOfOther is Coin { address[] internal others; function put(uint256 i, address who) external onlyFriend { require(i < others.length); assembly { mstore(0, members.slot) sstore(add(keccak256(0, 32), i), who) } } function size(uint256 n) external onlyFriend { assembly { sstore(others.slot, n) } } }

/// What is taken for granted does not stay.
contract SetUpAgain is Signed { function reset() external onlyFriend { initial().version = 0; } }
contract SetUpByNumber is Signed { function reset(uint64 n) external onlyFriend { initial().version = n; } }
contract Renamed is Signed { function rename(string calldata name) external onlyFriend { purse().name = name; } function domain() internal view override returns (bytes32) { return keccak256(bytes(purse().name)); } }
contract SetUpInParts is Signed { function initialize(string calldata name, address to) external override { Initial storage i = initial(); require(i.version == 0 || i.running); purse().name = name; purse().held[to] += 1e27; } function run() external onlyFriend { initial().running = true; } }
contract LostMint is Signed { function tell(string[] calldata all) external onlyFriend { for (uint256 i; i < all.length; i++) text = all[i]; purse().held[friend] += 1; } }
