import { topicPatterns } from "./topics.ts"

/** How the script shows a report. Everything the service says is set as text, never as markup. */
export const reportScript = `
const PATTERNS = ${JSON.stringify(topicPatterns)}.map(([id, ids]) => [id, new RegExp(ids)]);
const VERDICTS = {
  allow: ["Allow", "pass", "Every critical signal is known and good, as far as the evidence reaches."],
  caution: ["Caution", "unknown", "Position size zero: something that matters failed, or could not be proven."],
  avoid: ["Avoid", "fail", "Something was found that makes this token unfit to buy."]
};
const STATES = { fail: ["✗", "failed"], unknown: ["?", "unknown"], pass: ["✓", "passed"] };
const SOURCES = { "base-rpc": "read on Base", "solana-rpc": "read on Solana", simulation: "simulated trades",
  bytecode: "the contract's code", dexscreener: "DexScreener", rugcheck: "RugCheck" };
const EXITS = { holders: [
  ["largestHolderSells", "if the largest holder sells all"],
  ["largestGroupSells", "if creators and insiders sell all"],
  ["largestProviderLeaves", "if the largest liquidity provider leaves"]] };

const usd = (value) => value === null ? "unknown, or sources disagree"
  : value.toLocaleString("en-US", value >= 1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 4 }) + " USD";
const percent = (part) => (part * 100).toLocaleString("en-US", { maximumFractionDigits: 1 }) + " %";
const points = (value) => value > 0 ? "+" + Math.round(value) + " points" : "";

const signalItem = (one) => {
  const [sign, word] = STATES[one.state] ?? STATES.unknown;
  const row = element("li", "", { state: one.state, id: one.id });
  row.append(element("span", sign, {}, "mark"));
  const text = element("div");
  text.append(element("p", one.message));
  const facts = [word, SOURCES[one.source] ?? one.source, one.critical ? "critical" : "", points(one.points)];
  const line = element("p", facts.filter(Boolean).join(" · ") + " · ", {}, "soft small");
  line.append(element("code", one.id));
  text.append(line);
  row.append(text);
  return row;
};

const bar = (part, words) => {
  const row = element("div", "", {}, "bar");
  row.append(element("p", (part === null ? "unknown" : percent(part) + " of the price is left") + " " + words));
  const track = element("div", "", { tone: part === null ? "unknown" : part < 0.5 ? "fail" : part < 0.8 ? "unknown" : "pass" }, "track");
  const filled = element("i");
  filled.style.setProperty("width", percent(part ?? 0).replace(" ", ""));
  track.append(filled);
  row.append(track);
  return row;
};

const count = (signals, state) => {
  const found = signals.filter((one) => one.state === state).length;
  return found === 0 ? [] : [found + " " + STATES[state][1]];
};

const showTopic = (id, signals, exits) => {
  const card = at("topic-" + id);
  const bad = signals.filter((one) => one.state !== "pass")
    .sort((a, b) => (a.state === b.state ? b.points - a.points : a.state === "fail" ? -1 : 1));
  const good = signals.filter((one) => one.state === "pass");
  card.hidden = signals.length === 0;
  card.querySelector(".counts").textContent = ["fail", "unknown", "pass"].flatMap((state) => count(signals, state)).join(", ");
  card.querySelector(".bars").replaceChildren(
    ...(exits ? (EXITS[id] ?? []).map(([name, words]) => bar(exits[name], words)) : []));
  card.querySelector(".open").replaceChildren(...bad.map(signalItem));
  card.querySelector(".passed").replaceChildren(...good.map(signalItem));
  const details = card.querySelector("details");
  details.hidden = good.length === 0;
  // Where there is room, what everybody asks stands open.
  details.open = id === "sale" && matchMedia("(min-width: 58rem)").matches;
  details.querySelector("summary").textContent = good.length + " passed";
};

const fact = (name, value) => {
  const box = element("div");
  box.append(element("dt", name), element("dd", value));
  return box;
};

const showVerdict = (report, [words, tone]) => {
  const [word, color, meaning] = tone === "fail"
    ? ["Not verified", "fail", "This report does not carry this service's signature. Do not act on it."]
    : VERDICTS[report.verdict] ?? [report.verdict, "unknown", ""];
  at("verdict").textContent = word;
  // What was not verified may not look safe.
  at("summary").dataset.tone = color === "pass" ? tone : color;
  at("meaning").textContent = meaning;
  const score = Math.min(100, Math.max(0, report.score));
  at("gauge").setAttribute("aria-label", "Risk score " + score + " of 100, band " + report.band + ". Higher is riskier.");
  at("needle").textContent = String(Math.round(score));
  at("needle").style.setProperty("left", score + "%");
  for (const band of at("bands").children) band.toggleAttribute("data-here", band.dataset.band === report.band);
  at("reasons").replaceChildren(...report.reasons.map((reason) => {
    const row = element("li", reason.message + " ");
    row.append(element("span", points(reason.points), {}, "soft small"));
    return row;
  }));
  if (report.reasons.length === 0) at("reasons").append(element("li", "Nothing weighs against it in what could be read."));
  at("attestation").textContent = words;
  at("attestation").dataset.tone = tone;
};

const show = (report, attested) => {
  showVerdict(report, attested);
  const byTopic = Object.fromEntries(PATTERNS.map(([id]) => [id, []]));
  for (const one of report.signals) byTopic[PATTERNS.find(([, ids]) => ids.test(one.id))[0]].push(one);
  for (const [id, signals] of Object.entries(byTopic)) showTopic(id, signals, report.exits);
  at("facts").replaceChildren(
    fact("Price", usd(report.priceUsd)),
    fact("Liquidity against trusted quotes", usd(report.liquidityUsd)),
    fact("Signals known", percent(report.coverage)),
    fact("Read", new Date(report.fetchedAt).toLocaleString() + (report.cacheHit ? ", from the cache" : "")),
    fact(report.chain === "base" ? "Block" : "Slot", String(report.evidence.block ?? report.evidence.slot ?? "unknown")),
    fact("Method", report.methodology),
    fact("Token", report.address),
    fact("Digest", report.attestation.digest),
    fact("Key", report.attestation.keyId));
  at("report").dataset.vouched = String(attested[1] !== "fail");
  at("report").hidden = false;
  at("summary").focus();
};
`.trim()
