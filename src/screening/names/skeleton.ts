import unhomoglyph from "unhomoglyph"

/**
 * Latin small capitals, which Unicode's table of confusables keeps apart from the letters they read as (UTS 39 gives
 * some of them prototypes of their own, "ᴅ" among them).
 */
const SMALL_CAPITALS: ReadonlyMap<string, string> = new Map(
  Array.from("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", (letter, index): readonly [string, string] => [
    letter,
    Array.from("abcdefghijklmnopqrstuvwyz")[index] ?? letter
  ])
)

/** Signs that stand for a letter in symbols and that the table leaves alone. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["$", "s"],
  ["₮", "t"],
  ["₿", "b"],
  ["ξ", "e"],
  ["€", "e"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["ø", "o"],
  ["©", "c"],
  ["¢", "c"],
  ["₵", "c"],
  ["₡", "c"],
  ["®", "r"],
  ["5", "s"],
  ["8", "b"],
  ["3", "e"],
  ["4", "a"],
  ["7", "t"]
])

/** Letters that a reader cannot tell apart in some face, folded to one after everything else. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ["i", "l"],
  ["1", "l"],
  ["|", "l"],
  ["0", "o"]
])

const FIRST_LETTER = 0x41
/** White letters in circles and squares, and the halves of flags, which many faces show as letters: none is folded by itself. */
const ENCLOSED: ReadonlyMap<string, string> = new Map(
  [0x1f150, 0x1f170, 0x1f1e6].flatMap((first) =>
    Array.from({ length: 26 }, (_, at): readonly [string, string] => [
      String.fromCodePoint(first + at),
      String.fromCodePoint(FIRST_LETTER + at)
    ])
  )
)

const mapped = (text: string, table: ReadonlyMap<string, string>): string =>
  Array.from(text, (letter) => table.get(letter) ?? letter).join("")

/** Hangul's fillers are letters by class and nothing to see, and so is Braille's empty pattern. Marks of trade are no letters. */
const withoutMarks = (text: string): string =>
  text
    .replace(/[\u2120\u2122]/gu, "")
    .normalize("NFKD")
    .replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")

/** Longest text that is looked through for letters that can be seen, in UTF-16 units. */
export const MOST_UNITS = 1024

/** A text without what nobody sees of it; pages show a row of white space as one, and none at either end. */
const visibleIn = (text: string): string =>
  mapped(withoutMarks(text.slice(0, MOST_UNITS)), ENCLOSED)
    .replace(/\s+/gu, " ")
    .trim()

/** From here on letters are drawn from right to left, whatever they are. */
const OVERRIDE = "\u202e"

/** What a reader may see of a text: where it turns around what follows, that is read backwards. */
export const drawnIn = (text: string): ReadonlyArray<string> => {
  const seen = visibleIn(text)
  return text.includes(OVERRIDE) ? [seen, Array.from(seen).toReversed().join("")] : [seen]
}

const fold = (text: string): string => {
  const prototypes = withoutMarks(unhomoglyph(withoutMarks(text))).toLowerCase()
  const letters = mapped(mapped(unhomoglyph(prototypes).toLowerCase(), SMALL_CAPITALS), SIGNS)
  return mapped(letters, TWINS)
    .replace(/[^\p{L}\p{N}+]/gu, "")
    .replaceAll("vv", "w")
}

/** Longest text worth folding; a longer one is no symbol and no name. */
const MAX_TEXT = 64
/**
 * What a reader takes a text for: compatibility forms, marks, invisible characters, case, separators and look-alike
 * letters folded away by Unicode's own table of confusables (UTS 39). Two texts are confusable when they share one of
 * their skeletons; letters whose capital looks like another letter are why there are several.
 */
export const skeletonsOf = (text: string): ReadonlyArray<string> => {
  // Letters that nobody sees take no room: a name behind sixty of them is still the name.
  const bounded = Array.from(visibleIn(text)).slice(0, MAX_TEXT).join("")
  const forms = [bounded, bounded.toUpperCase(), bounded.toLowerCase()].map(fold)
  return [...new Set(forms)].filter((form) => form !== "")
}
