/** The entries of a list that is written with commas; spaces around them, and empty entries, do not count. */
export const commaList = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
