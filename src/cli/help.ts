/** What `token-risk --help` prints. The framework's own page names every option of every command on one line each. */
export const HELP = `token-risk: is this token safe to buy? Solana and Base, paid per call (x402).

  token-risk screen CHAIN ADDRESS --order USD   ping, deep report, one decision
  token-risk ping CHAIN ADDRESS                 the cheap gate
  token-risk deep CHAIN ADDRESS                 verdict, score, reasons, signals
  token-risk verify FILE [--jwks FILE_OR_URL]   is this report as signed?
  token-risk doctor URL [--free-call]           check a running deployment
  token-risk serve                              run the service

CHAIN is base or solana. Most used options (each command's --help has all):
  --url URL          the service; else TOKEN_RISK_URL, http://127.0.0.1:3402
  --json             one JSON object on stdout
  --client-id ID     your stable id: the first deep calls of a day are free
  --max-price USD    most for one call (0.05)
  --budget USD       most for the whole command (1)
  --yes              pay without being asked

Keys to pay with: TOKEN_RISK_BASE_KEY (0x hex) or --base-key-file;
TOKEN_RISK_SOLANA_KEY (base58 or JSON array) or --solana-key-file, with
SOLANA_RPC_URL. Nothing is paid that you did not confirm or allow by --yes.

Exit codes
  0 allow, safe, verified     1 doctor found a failure   2 usage
  10 caution, unknown         3 not paid                 4 token not found
  20 avoid, unsafe            5 service or network       6 does not verify
  130 interrupted             7 payment refused by the service`
