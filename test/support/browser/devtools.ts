/** A Chromium that tests drive: pages, wallets made of test keys, screenshots, answers of the network replaced. */
import { writeFileSync } from "node:fs"
import type { Connection, Params } from "./connection.ts"
import { connect } from "./connection.ts"

export interface View {
  readonly width: number
  readonly height: number
  readonly mobile: boolean
  readonly scheme: "light" | "dark"
}

/** What a wallet that the test put into the page is asked; the answer goes back to it, an error with its code. */
export type WalletAnswer = (method: string, params: unknown) => Promise<unknown>

/** Thrown in a wallet's answer: how wallets refuse. Source: EIP-1193. */
export class WalletRefusal extends Error {
  readonly code: number
  constructor(code: number) {
    super("refused")
    this.code = code
  }
}

export interface BrowserPage {
  readonly goto: (url: string) => Promise<void>
  readonly reload: () => Promise<void>
  /** Value of an expression in the page. */
  readonly read: (expression: string) => Promise<unknown>
  /** Waits until an expression is true in the page. */
  readonly until: (expression: string) => Promise<void>
  readonly click: (selector: string) => Promise<void>
  readonly screenshot: (file: string) => Promise<void>
  readonly view: (view: View) => Promise<void>
  /** Answers requests whose URL holds a text by a status and headers; undefined lets them through again. */
  readonly answer: (
    urlPart: string,
    status: number | undefined,
    headers?: Readonly<Record<string, string>>
  ) => Promise<void>
  /** Presses and lets go of a key: `Tab`, `Enter`. */
  readonly press: (key: "Tab" | "Enter") => Promise<void>
  /** Types into whatever has the focus. */
  readonly type: (text: string) => Promise<void>
  readonly offline: (offline: boolean) => Promise<void>
  /** Addresses of everything the page has asked for. */
  readonly requests: () => ReadonlyArray<string>
  /** What the browser complained of: broken policies, exceptions, resources that failed to load. */
  readonly complaints: () => ReadonlyArray<string>
}

const PATIENCE_MILLIS = 60_000
const POLL_MILLIS = 50

const KEYS = { Tab: { keyCode: 9, text: "" }, Enter: { keyCode: 13, text: "\r" } } as const

/** Listens to what a session asks for and complains of, from now on. */
const record = ({ listeners }: Connection, session: string) => {
  const requests: Array<string> = []
  const complaints: Array<string> = []
  listeners.add(({ method, params, sessionId }) => {
    if (sessionId !== session) return
    if (method === "Network.requestWillBeSent") requests.push(String(Object(params?.["request"])["url"]))
    if (method === "Log.entryAdded") complaints.push(String(Object(params?.["entry"])["text"]))
    if (method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(params))
  })
  return { requests, complaints }
}

/** Every call of `ask(method, params)` in the page is answered by the test. */
const BRIDGE = `(() => {
  const waiting = new Map();
  let last = 0;
  globalThis.__settle = (id, answer) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if ("code" in answer) reject(Object.assign(new Error("refused"), { code: answer.code }));
    else resolve(answer.value);
  };
  globalThis.__ask = (method, params) => new Promise((resolve, reject) => {
    const id = ++last;
    waiting.set(id, { resolve, reject });
    globalThis.__wallet(JSON.stringify({ id, method, params }));
  });
})();`

const bridge = async (
  { listeners, send }: Connection,
  session: string,
  answer: WalletAnswer,
  script: string
) => {
  await send("Runtime.addBinding", { name: "__wallet" }, session)
  listeners.add(({ method, params, sessionId }) => {
    if (method !== "Runtime.bindingCalled" || sessionId !== session) return
    const asked: { id: number; method: string; params: unknown } = JSON.parse(String(params?.["payload"]))
    const settle = (result: unknown) =>
      send(
        "Runtime.evaluate",
        { expression: `__settle(${asked.id}, ${JSON.stringify(result)})` },
        session
      ).catch(() => undefined)
    answer(asked.method, asked.params).then(
      (value) => settle({ value }),
      (error: unknown) => settle({ code: error instanceof WalletRefusal ? error.code : -32603 })
    )
  })
  await send("Page.addScriptToEvaluateOnNewDocument", { source: BRIDGE + script }, session)
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const makePage = async (
  connection: Connection,
  answer: WalletAnswer,
  script: string
): Promise<BrowserPage> => {
  const { listeners, send } = connection
  // A window of its own: nothing kept by one page is seen by another.
  const { browserContextId } = await send("Target.createBrowserContext")
  const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId })
  const attached = await send("Target.attachToTarget", { targetId, flatten: true })
  const session = String(attached["sessionId"])
  const call = (method: string, params: Params = {}) => send(method, params, session)
  await call("Page.enable")
  await call("Runtime.enable")
  await bridge(connection, session, answer, script)
  const { complaints, requests } = record(connection, session)
  await call("Network.enable")
  await call("Log.enable")
  const replaced = new Map<string, Params>()
  listeners.add(({ method, params, sessionId }) => {
    if (method !== "Fetch.requestPaused" || sessionId !== session) return
    const url = String(Object(params?.["request"])["url"])
    const given = [...replaced].find(([part]) => url.includes(part))?.[1]
    const requestId = params?.["requestId"]
    void (
      given === undefined
        ? call("Fetch.continueRequest", { requestId })
        : call("Fetch.fulfillRequest", { requestId, ...given, body: btoa('{"error":"x"}') })
    ).catch(() => undefined)
  })
  await call("Fetch.enable", { patterns: [{ urlPattern: "*" }] })

  const read = async (expression: string): Promise<unknown> => {
    const { exceptionDetails, result } = await call("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true
    })
    if (exceptionDetails !== undefined) throw new Error(`in the page: ${JSON.stringify(exceptionDetails)}`)
    return Object(result)["value"]
  }
  const until = async (expression: string) => {
    const deadline = Date.now() + PATIENCE_MILLIS
    // A page that is being replaced has no answer for a moment.
    while ((await read(expression).catch(() => false)) !== true) {
      if (Date.now() > deadline) throw new Error(`never true in the page: ${expression}`)
      await pause(POLL_MILLIS)
    }
  }
  const loaded = () => until("document.readyState === 'complete' && location.href !== 'about:blank'")
  return {
    goto: async (url) => {
      await call("Page.navigate", { url })
      await loaded()
    },
    reload: async () => {
      await read("globalThis.__old = true")
      await call("Page.reload")
      await until("globalThis.__old === undefined")
      await loaded()
    },
    read,
    until,
    click: async (selector) => {
      await read(`document.querySelector(${JSON.stringify(selector)}).click()`)
    },
    screenshot: async (file) => {
      const { data } = await call("Page.captureScreenshot", { format: "png", captureBeyondViewport: true })
      writeFileSync(file, Buffer.from(String(data), "base64"))
    },
    view: async ({ height, mobile, scheme, width }) => {
      const deviceScaleFactor = mobile ? 2 : 1
      await call("Emulation.setDeviceMetricsOverride", { width, height, mobile, deviceScaleFactor })
      await call("Emulation.setTouchEmulationEnabled", { enabled: mobile })
      await call("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: scheme }]
      })
    },
    answer: async (part, status, headers = {}) => {
      const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }))
      if (status === undefined) replaced.delete(part)
      else replaced.set(part, { responseCode: status, responseHeaders })
    },
    press: async (key) => {
      const { keyCode, text } = KEYS[key]
      const about = { key, code: key, windowsVirtualKeyCode: keyCode }
      await call("Input.dispatchKeyEvent", { type: text === "" ? "rawKeyDown" : "keyDown", text, ...about })
      await call("Input.dispatchKeyEvent", { type: "keyUp", ...about })
    },
    type: async (text) => {
      await call("Input.insertText", { text })
    },
    offline: async (offline) => {
      await call("Network.emulateNetworkConditions", {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1
      })
    },
    requests: () => requests,
    complaints: () => complaints
  }
}

/** A browser whose pages know a wallet: `script` puts it there and asks the test through `__ask(method, params)`. */
export const openBrowser = () => {
  const connection = connect()
  return {
    page: (answer: WalletAnswer = async () => null, script = "") => makePage(connection, answer, script),
    close: connection.close
  }
}
