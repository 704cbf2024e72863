/**
 * Invisible characters that are part of how a text is spelled, so that without them it would be another text to who reads
 * it: what joins the parts of an emoji, what chooses the form of a letter, what parts words that no blank parts. Everywhere
 * else the same characters only hide something.
 */

// The patterns are in functions: making them takes milliseconds, and few texts need them.

/** Scripts in which U+200C and U+200D choose the form of a letter: those that are written joined, and those of India and around it. */
const isShaping = (character: string) =>
  /[\p{scx=Adlm}\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Mani}\p{scx=Phag}\p{scx=Rohg}\p{scx=Sogd}\p{scx=Chrs}\p{scx=Ougr}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u.test(
    character,
  )
/** Scripts whose words have no blanks between them, with U+200B where a line may break. */
const isUnparted = (character: string) => /[\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}\p{scx=Thai}\p{scx=Tibt}]/u.test(character)
const isLetter = (character: string) => /[\p{L}\p{M}]/u.test(character)

/** Whether a text ends in a picture, with the colour of its skin and the way it is shown. */
const endsInPicture = (text: string) => /\p{ExtPict}[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]*$/u.test(text)
const startsWithPicture = (text: string) => /^\p{ExtPict}/u.test(text)
/** Whether a text ends within the flag of a part of a country: a picture, its code in letters that are not seen, and what ends it. */
const endsInFlag = (text: string) => /\p{ExtPict}[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]*[\u{e0020}-\u{e007e}]{0,16}$/u.test(text)
const restOfFlag = /^[\u{e0020}-\u{e007e}]{0,16}\u{e007f}/u

/** As much of the text as is looked at on either side: the longest flag, with each character of it two units long. */
const reach = 48

/** Whether the character at an offset belongs to the spelling of the text around it. */
export function isSpelling(text: string, index: number): boolean {
  const point = text.codePointAt(index) ?? 0
  const isTag = point >= 0xe0020 && point <= 0xe007f
  if (!isTag && (point < 0x200b || point > 0x200d)) return false
  const before = text.slice(Math.max(0, index - reach), index)
  if (isTag) return endsInFlag(before) && restOfFlag.test(text.slice(index, index + reach))
  const behind = text.slice(index + 1, index + 1 + reach)
  const isBetween = (is: Script) => isLetterOf(is, lastOf(before)) && isLetterOf(is, firstOf(behind))
  switch (point) {
    case 0x200b:
      return isBetween(isUnparted)
    case 0x200c:
      return isBetween(isShaping)
    default:
      return (
        isLetterOf(isShaping, lastOf(before)) ||
        isLetterOf(isShaping, firstOf(behind)) ||
        (endsInPicture(before) && startsWithPicture(behind))
      )
  }
}

type Script = (character: string) => boolean

function isLetterOf(isOfScript: Script, character: string): boolean {
  return isLetter(character) && isOfScript(character)
}

function firstOf(text: string): string {
  const point = text.codePointAt(0)
  return point === undefined ? '' : String.fromCodePoint(point)
}

function lastOf(text: string): string {
  const pair = text.slice(-2)
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : text.slice(-1)
}
