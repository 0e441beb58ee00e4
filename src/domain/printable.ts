/**
 * Control, format, private-use and line-separating characters, lone surrogates, letters nobody sees, and piles of marks:
 * what makes a text look like another one, or paint over its surroundings. The two joiners stay, which Persian and
 * families of emoji are written with.
 */
const DECEPTIVE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|(?![\u200c\u200d])\p{Cf}|\p{M}{4}/u

/** Something with ink. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a stranger's text can be shown to others. */
export const isPrintable = (text: string): boolean => !DECEPTIVE.test(text)

/** Whether there is anything to see in it. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)
