import { LONGEST_WAIT } from "./outbox.ts"

/** The form of a date that senders write: `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110, 5.6.7. */
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

const asked = (text: string, now: number): number => {
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  return DATE.test(text) ? Date.parse(text) - now : Number.NaN
}

/**
 * Milliseconds for which a receiver wants to be left alone, at most a day; 0 for a text that says nothing of the kind.
 * Source: RFC 9110, 10.2.3.
 * @param now Unix milliseconds
 */
export const leftAloneFor = (text: string | undefined, now: number): number => {
  const millis = text === undefined ? Number.NaN : asked(text, now)
  return Number.isNaN(millis) ? 0 : Math.min(Math.max(millis, 0), LONGEST_WAIT)
}
