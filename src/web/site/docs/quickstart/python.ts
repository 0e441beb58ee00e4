import type { Snippet } from "./snippet.ts"

/** What both chains share: the terms, and the same request again with the payment. */
const HEAD = `url = os.environ["TOKEN_RISK_URL"] + "/api/token-risk/v1/ping"
token = {"chain": os.environ["CHAIN"], "address": os.environ["TOKEN"]}
terms = requests.post(url, json=token, timeout=15).json()`

const TAIL = `header = base64.b64encode(json.dumps(payment).encode()).decode()
answer = requests.post(url, json=token, headers={"payment-signature": header}, timeout=60)
print(answer.status_code, answer.json(), answer.headers.get("payment-response"))`

export const PYTHON_ON_BASE: Snippet = {
  id: "python-base",
  file: "buy_on_base.py",
  caption: "pip install requests eth-account",
  text: `import base64, json, os, secrets, time, requests
from eth_account import Account

${HEAD}
pay = next(a for a in terms["accepts"] if a["network"] == "eip155:8453")
account = Account.from_key(os.environ["TOKEN_RISK_BASE_KEY"])
auth = {"from": account.address, "to": pay["payTo"], "value": pay["amount"], "validAfter": "0",
        "validBefore": str(int(time.time()) + pay["maxTimeoutSeconds"]), "nonce": "0x" + secrets.token_hex(32)}
fields = [("from", "address"), ("to", "address"), ("value", "uint256"), ("validAfter", "uint256"),
          ("validBefore", "uint256"), ("nonce", "bytes32")]
signed = account.sign_typed_data(
    {**pay["extra"], "chainId": 8453, "verifyingContract": pay["asset"]},
    {"TransferWithAuthorization": [{"name": n, "type": t} for n, t in fields]},
    {**auth, "value": int(auth["value"]), "validAfter": 0, "validBefore": int(auth["validBefore"])})
payment = {"x402Version": 2, "resource": terms["resource"], "accepted": pay,
           "payload": {"signature": "0x" + signed.signature.hex().removeprefix("0x"), "authorization": auth}}
${TAIL}`
}

export const PYTHON_ON_SOLANA: Snippet = {
  id: "python-solana",
  file: "buy_on_solana.py",
  caption: "pip install requests solders",
  text: `import base64, json, os, secrets, requests
from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.null_signer import NullSigner
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

TOKEN = Pubkey.from_string("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
MEMO = Pubkey.from_string("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
ASSOCIATED = Pubkey.from_string("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")

${HEAD}
pay = next(a for a in terms["accepts"] if a["network"].startswith("solana:"))
payer = Keypair.from_base58_string(os.environ["TOKEN_RISK_SOLANA_KEY"])
mint, fee_payer = Pubkey.from_string(pay["asset"]), Pubkey.from_string(pay["extra"]["feePayer"])
def account_of(owner):
    return Pubkey.find_program_address([bytes(owner), bytes(TOKEN), bytes(mint)], ASSOCIATED)[0]
accounts = [AccountMeta(account_of(payer.pubkey()), False, True), AccountMeta(mint, False, False),
            AccountMeta(account_of(Pubkey.from_string(pay["payTo"])), False, True), AccountMeta(payer.pubkey(), True, False)]
transfer = Instruction(TOKEN, bytes([12]) + int(pay["amount"]).to_bytes(8, "little") + bytes([6]), accounts)
memo = Instruction(MEMO, secrets.token_hex(16).encode(), [])  # makes two payments of one price different
rpc = {"jsonrpc": "2.0", "id": 1, "method": "getLatestBlockhash", "params": [{"commitment": "confirmed"}]}
latest = requests.post(os.environ["SOLANA_RPC_URL"], json=rpc, timeout=15).json()["result"]["value"]["blockhash"]
message = MessageV0.try_compile(fee_payer, [set_compute_unit_limit(20_000), set_compute_unit_price(1), transfer, memo],
                                [], Hash.from_string(latest))
transaction = VersionedTransaction(message, [NullSigner(fee_payer), payer])  # the service adds the fee payer's signature
payment = {"x402Version": 2, "resource": terms["resource"], "accepted": pay,
           "payload": {"transaction": base64.b64encode(bytes(transaction)).decode()}}
${TAIL}`
}
