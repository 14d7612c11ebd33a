const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extended = '\f^{}\\[~]|€'

/** How a text is split into SMS messages. */
export interface SmsSegments {
  /** The alphabet that it needs. */
  readonly alphabet: 'GSM-7' | 'UCS-2'
  /** How many messages are billed. */
  readonly count: number
}

/**
 * Returns how many SMS messages a text needs. A single message holds 160 characters of the basic alphabet, and each of
 * several holds 153; with any other character, 70 and 67.
 */
export function toSmsSegments(text: string): SmsSegments {
  const letters = [...text]
  if (!letters.every((letter) => basic.includes(letter) || extended.includes(letter)))
    return {
      alphabet: 'UCS-2',
      count: cut(
        [...text].map((letter) => letter.length),
        70,
        67,
      ),
    }
  return {
    alphabet: 'GSM-7',
    count: cut(
      letters.map((letter) => (extended.includes(letter) ? 2 : 1)),
      160,
      153,
    ),
  }
}

/** Counts messages without splitting a two-unit character. */
function cut(units: readonly number[], single: number, each: number): number {
  if (units.reduce((sum, unit) => sum + unit, 0) <= single) return 1
  let [count, used] = [1, 0]
  for (const unit of units) {
    if (used + unit > each) {
      count++
      used = 0
    }
    used += unit
  }
  return count
}
