"""What the modules share: base58, and Ed25519 by RFC 8032."""
import hashlib

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P


def base58(text):
    number = 0
    for character in text:
        number = number * 58 + ALPHABET.index(character)
    zeros = len(text) - len(text.lstrip("1"))
    return b"\x00" * zeros + number.to_bytes((number.bit_length() + 7) // 8, "big")


def x_of(y, odd):
    """The x of a point; None where there is no such point."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != odd else x


def on_curve(data):
    number = int.from_bytes(data, "little")
    return x_of(number & (2**255 - 1), number >> 255) is not None


def add(p, q):
    (a, b), (c, d) = p, q
    t = D * a * b * c * d % P
    return (a * d + b * c) * pow(1 + t, -1, P) % P, (b * d + a * c) * pow(1 - t, -1, P) % P


def times(scalar):
    result, point = (0, 1), (x_of(BASE_Y, 0), BASE_Y)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return (result[1] | (result[0] & 1) << 255).to_bytes(32, "little")


def sign(secret, message):
    seed = hashlib.sha512(secret[:32]).digest()
    scalar = int.from_bytes(seed[:32], "little") & (2**254 - 8) | 2**254
    number = lambda *parts: int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L
    nonce = number(seed[32:], message)
    point = times(nonce)
    return point + ((nonce + number(point, times(scalar), message) * scalar) % L).to_bytes(32, "little")
