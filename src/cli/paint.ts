/** Colours as functions; without colour, each gives its text back. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly yellow: (text: string) => string
  readonly green: (text: string) => string
}

/** What an answer is drawn with: the time is in Unix milliseconds. */
export interface View {
  readonly paint: Paint
  readonly now: number
  /** Address of the service that gave it. */
  readonly url: string
}

const wrapped = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`
const same = (text: string) => text

export const paintFor = (color: boolean): Paint =>
  color
    ? {
        bold: wrapped(1, 22),
        dim: wrapped(2, 22),
        red: wrapped(31, 39),
        yellow: wrapped(33, 39),
        green: wrapped(32, 39)
      }
    : { bold: same, dim: same, red: same, yellow: same, green: same }
