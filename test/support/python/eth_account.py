"""The part of eth-account that the quick starts use: EIP-712 typed data, signed with secp256k1 (RFC 6979)."""
import hashlib
import hmac

MASK = 2**64 - 1
P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def _rotate(value, by):
    return ((value << by) | (value >> (64 - by))) & MASK if by else value


def _permute(lanes):
    lfsr = 1
    for _ in range(24):
        sums = [lanes[x][0] ^ lanes[x][1] ^ lanes[x][2] ^ lanes[x][3] ^ lanes[x][4] for x in range(5)]
        for x in range(5):
            change = sums[(x + 4) % 5] ^ _rotate(sums[(x + 1) % 5], 1)
            lanes[x] = [lane ^ change for lane in lanes[x]]
        x, y, current = 1, 0, lanes[1][0]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            current, lanes[x][y] = lanes[x][y], _rotate(current, (step + 1) * (step + 2) // 2 % 64)
        for y in range(5):
            row = [lanes[x][y] for x in range(5)]
            for x in range(5):
                lanes[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5] & MASK)
        for bit in range(7):
            lfsr = ((lfsr << 1) ^ ((lfsr >> 7) * 0x71)) % 256
            if lfsr & 2:
                lanes[0][0] ^= 1 << ((1 << bit) - 1)
    return lanes


def keccak(data):
    rate = 136
    padded = bytearray(data) + b"\x01" + b"\x00" * (-(len(data) + 2) % rate) + b"\x80"
    if len(data) % rate == rate - 1:
        padded = bytearray(data) + b"\x81"
    lanes = [[0] * 5 for _ in range(5)]
    for start in range(0, len(padded), rate):
        for at in range(rate // 8):
            word = padded[start + 8 * at : start + 8 * at + 8]
            lanes[at % 5][at // 5] ^= int.from_bytes(word, "little")
        lanes = _permute(lanes)
    return b"".join(lanes[at % 5][at // 5].to_bytes(8, "little") for at in range(4))


def _add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    slope = 3 * p[0] ** 2 * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def _times(scalar, point):
    result = None
    while scalar:
        if scalar & 1:
            result = _add(result, point)
        point, scalar = _add(point, point), scalar >> 1
    return result


def _nonce(secret, digest):
    key, value = b"\x00" * 32, b"\x01" * 32
    for mark in (b"\x00", b"\x01"):
        seed = value + mark + secret.to_bytes(32, "big") + (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
        key = hmac.new(key, seed, hashlib.sha256).digest()
        value = hmac.new(key, value, hashlib.sha256).digest()
    return int.from_bytes(hmac.new(key, value, hashlib.sha256).digest(), "big")


def _word(kind, value):
    if kind == "string":
        return keccak(value.encode())
    if kind in ("address", "bytes32"):
        return bytes.fromhex(value[2:]).rjust(32, b"\x00")
    return int(value).to_bytes(32, "big")


def _struct(name, fields, values):
    kind = name + "(" + ",".join(f["type"] + " " + f["name"] for f in fields) + ")"
    return keccak(keccak(kind.encode()) + b"".join(_word(f["type"], values[f["name"]]) for f in fields))


DOMAIN = [
    {"name": "name", "type": "string"},
    {"name": "version", "type": "string"},
    {"name": "chainId", "type": "uint256"},
    {"name": "verifyingContract", "type": "address"},
]


class _Signed:
    def __init__(self, signature):
        self.signature = signature


class _Key:
    def __init__(self, secret):
        self._secret = secret
        x, y = _times(secret, G)
        address = keccak(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[-20:].hex()
        marks = keccak(address.encode()).hex()
        self.address = "0x" + "".join(c.upper() if int(m, 16) > 7 else c for c, m in zip(address, marks))

    def sign_typed_data(self, domain, types, message):
        [(name, fields)] = types.items()
        digest = keccak(
            b"\x19\x01" + _struct("EIP712Domain", DOMAIN, domain) + _struct(name, fields, message)
        )
        k = _nonce(self._secret, digest)
        x, y = _times(k, G)
        r, odd = x % N, y & 1
        s = pow(k, -1, N) * (int.from_bytes(digest, "big") + r * self._secret) % N
        if s > N // 2:
            s, odd = N - s, odd ^ 1
        return _Signed(r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + odd]))


class Account:
    @staticmethod
    def from_key(key):
        return _Key(int(key, 16))
