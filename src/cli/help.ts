/** What `token-risk --help` prints. The framework's own page names every option of every command on one line each. */
export const HELP = `token-risk: is this token safe to buy? Solana and Base, paid per call (x402).

  token-risk screen CHAIN ADDRESS --order USD   ping, deep report, one decision
  token-risk screen CHAIN --file FILE           the same for many tokens
  token-risk ping CHAIN ADDRESS                 the cheap gate
  token-risk deep CHAIN ADDRESS                 verdict, score, reasons, signals
  token-risk watch CHAIN ADDRESS --every 5m     a ping every so often
  token-risk verify FILE [--jwks FILE_OR_URL]   is this report as signed?
  token-risk doctor [URL] [--free-call]         check a running deployment
  token-risk serve [--check-config]             run the service
  token-risk backup FILE, restore FILE          its database, out and in
  token-risk payments [ID]                      operator: unresolved, refused
  token-risk reconcile --day YYYY-MM-DD         operator: chain against ledger
  token-risk refund CHECKOUT [--amount USD]     merchant: a refund to sign

CHAIN is base or solana. Most used options (each command's --help has all):
  --url URL          the service; else TOKEN_RISK_URL, http://127.0.0.1:3402
  --json             one JSON object on stdout, failures included
  --client-id ID     your stable id: the first deep calls of a day are free
  --max-price USD    most for one call (0.05)
  --budget USD       most for the whole command (1)
  --timeout SECONDS  longest time of one call (15)
  --yes              pay without being asked

Keys to pay with: TOKEN_RISK_BASE_KEY (0x hex) or --base-key-file;
TOKEN_RISK_SOLANA_KEY (base58 or JSON array) or --solana-key-file, with
SOLANA_RPC_URL. Nothing is paid that you did not confirm or allow by --yes.

Exit codes
  0 allow, safe, verified     1 doctor found a failure   2 usage
  10 caution, unknown         3 not paid                 4 token not found
  20 avoid, unsafe            5 service or network       6 does not verify
  130 SIGINT, SIGTERM         7 payment refused by the service`

/** Arguments and options as the pages of several commands name them. */
const CHAIN = ["CHAIN", "base or solana"] as const
const ADDRESS = ["ADDRESS", "token contract (base: 0x…) or mint (solana: base58)"] as const
const SERVICE = [
  ["--url URL", "the service; else TOKEN_RISK_URL, http://127.0.0.1:3402"],
  ["--json", "one JSON object on stdout, failures included"]
] as const
const SPENDING = [
  ["--timeout SECONDS", "longest time of one call, your answers not counted (15)"],
  ["--max-price USD", "most for one call (0.05)"],
  ["--budget USD", "most for the whole command (1)"],
  ["--pay-on CHAIN", "pay on this chain only; else Base first"],
  ["--base-key-file F", "0x hex key to pay on Base; else TOKEN_RISK_BASE_KEY"],
  ["--solana-key-file F", "key to pay on Solana; else TOKEN_RISK_SOLANA_KEY"],
  ["--yes, -y", "pay without being asked, within the limits"]
] as const
const PAYMENT = [
  ["--payment BASE64", "send this signed payment again instead of a new one"],
  ["--payment-file F", "the same from a file or a failure's JSON; - for stdin"]
] as const
const REPORT = [
  ["--client-id ID", "your stable id: the first deep calls of a day are free"],
  ["--jwks FILE_OR_URL", "keys to verify the report with; else the service's"]
] as const

interface Page {
  readonly usage: string
  readonly about: string
  readonly args: ReadonlyArray<readonly [string, string]>
  readonly options: ReadonlyArray<readonly [string, string]>
  readonly example: string
}

const PAGES: Readonly<Record<string, Page>> = {
  ping: {
    usage: "ping CHAIN ADDRESS [options]",
    about: "Buys the safety ping: is this token safe to buy?",
    args: [CHAIN, ADDRESS],
    options: [...SERVICE, ...SPENDING, ...PAYMENT],
    example: "ping base 0x4200000000000000000000000000000000000006 --yes"
  },
  deep: {
    usage: "deep CHAIN ADDRESS [options]",
    about: "Buys the deep report (verdict, score, reasons, every signal) and verifies it.",
    args: [CHAIN, ADDRESS],
    options: [...SERVICE, ...REPORT, ...SPENDING, ...PAYMENT],
    example: "deep base 0x4200000000000000000000000000000000000006 --client-id me"
  },
  screen: {
    usage: "screen CHAIN (ADDRESS | --file FILE) [options]",
    about: "Decides on an order: ping first, the deep report where it is worth it.",
    args: [CHAIN, ADDRESS],
    options: [
      ["--order USD", "value of the order (0); above 100 deep is always bought"],
      ["--file FILE", "one address a line, # comments, - for stdin"],
      ["--concurrency N", "tokens of a file screened at once (4)"],
      ...SERVICE,
      ...REPORT,
      ...SPENDING
    ],
    example: "screen base --file tokens.txt --budget 2 --yes --json"
  },
  watch: {
    usage: "watch CHAIN ADDRESS [options]",
    about:
      "Pings a token every so often and names what changed. Each look is paid.\nAfter the first, it goes on until five in a row bring no answer.",
    args: [CHAIN, ADDRESS],
    options: [
      ["--every SECONDS", "time between two looks: 30, 5m, 1h (5m)"],
      ["--count N", "end after so many looks, with the last one's code"],
      ...SERVICE,
      ...SPENDING
    ],
    example: "watch base 0x4200000000000000000000000000000000000006 --every 10m"
  },
  verify: {
    usage: "verify FILE [options]",
    about: "Says whether a report is exactly as the owner of the keys signed it.",
    args: [["FILE", "what deep --json or screen --json printed; - for stdin"]],
    options: [["--jwks FILE_OR_URL", "keys; with a file nothing is fetched"], ...SERVICE],
    example: "verify report.json --jwks jwks.json"
  },
  doctor: {
    usage: "doctor [URL] [options]",
    about: "Checks a running deployment: challenge, documents, MCP, keys, clock.",
    args: [["URL", "its address (TOKEN_RISK_URL, http://127.0.0.1:3402)"]],
    options: [
      ["--free-call", "also make one free deep call and verify it"],
      ["--json", "one JSON object on stdout"]
    ],
    example: "doctor https://risk.example"
  },
  payments: {
    usage: "payments [ID] [--json]",
    about: "What is unresolved and what was refused, from the database of DATABASE_URL.",
    args: [["ID", "a payment's key or a transaction: every event and its proof"]],
    options: [["--json", "one JSON object on stdout"]],
    example: "payments 0x5e0c…"
  },
  reconcile: {
    usage: "reconcile --day YYYY-MM-DD [--json]",
    about: "A day's inflow on chain against the ledger, with the service's own environment.",
    args: [],
    options: [
      ["--day DAY", "the day to compare, UTC"],
      ["--json", "one JSON object on stdout"]
    ],
    example: "reconcile --day 2026-11-20"
  },
  refund: {
    usage: "refund CHECKOUT [options]",
    about: "The transaction that gives a checkout's money back, for the merchant to sign.",
    args: [["CHECKOUT", "the checkout's id: chk_…"]],
    options: [
      ["--payer ADDRESS", "whom to refund, where several accounts paid"],
      ["--amount USD", "how much; else all that came in and did not go back"],
      ["--token-file FILE", "the merchant token; else TOKEN_RISK_MERCHANT_TOKEN,"],
      ["", "else the database of DATABASE_URL is read"],
      ["--service NAME", "path segment of the checkout (checkout)"],
      ...SERVICE
    ],
    example: "refund chk_5e0c… --amount 2.50"
  },
  serve: {
    usage: "serve [options]",
    about: "Runs the service; environment variables configure it: deploy/CONFIGURATION.md.",
    args: [],
    options: [["--check-config", "only say what is wrong with the configuration"]],
    example: "serve"
  },
  backup: {
    usage: "backup FILE",
    about: "Writes the database of DATABASE_URL to a new file, while the service runs.",
    args: [["FILE", "must not exist yet"]],
    options: [],
    example: "backup token-risk-monday.jsonl"
  },
  restore: {
    usage: "restore FILE",
    about: "Fills the empty database of DATABASE_URL from a backup of either dialect.",
    args: [["FILE", "what backup wrote"]],
    options: [],
    example: "restore token-risk-monday.jsonl"
  }
}

const COLUMN = 22

const rows = (title: string, entries: Page["args"]): ReadonlyArray<string> =>
  entries.length === 0
    ? []
    : ["", title, ...entries.map(([name, text]) => `  ${name.padEnd(COLUMN - 2)}${text}`)]

/** The page of one command; `undefined` for a command that has none of its own. */
export const commandHelp = (command: string): string | undefined => {
  const page = Object.hasOwn(PAGES, command) ? PAGES[command] : undefined
  if (page === undefined) return undefined
  return [
    `token-risk ${page.usage}`,
    "",
    page.about,
    ...rows("Arguments", page.args),
    ...rows("Options", page.options),
    "",
    "Example",
    `  token-risk ${page.example}`,
    "",
    "Exit codes: token-risk --help"
  ].join("\n")
}
