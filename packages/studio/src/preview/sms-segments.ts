/** The division of a text into SMS segments. */
export interface SmsSegments {
  /** `GSM-7` if all characters are in that alphabet, else `UCS-2`. */
  readonly encoding: 'GSM-7' | 'UCS-2'
  /** The number of segments, by which most providers charge. */
  readonly segments: number
  /** The length of the text in septets or UTF-16 code units. */
  readonly units: number
  /** The remaining units in the last segment. */
  readonly left: number
  /** The first characters outside the GSM-7 alphabet, each once. */
  readonly foreign: readonly string[]
}

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Characters that need an escape septet. */
const extended = new Set('\f^{}\\[~]|€')

const limits = { 'GSM-7': { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } } as const
const maxForeign = 5

/**
 * Counts the SMS segments of a text. A two-unit character is never split across segments, as in mobile networks.
 *
 * @param text - The text of the SMS.
 */
export function countSmsSegments(text: string): SmsSegments {
  const characters = [...text]
  const foreign = [...new Set(characters.filter((character) => !basic.has(character) && !extended.has(character)))]
  const encoding = foreign.length === 0 ? 'GSM-7' : 'UCS-2'
  const sizes = characters.map((character) =>
    encoding === 'UCS-2' ? character.length : extended.has(character) ? 2 : 1,
  )
  const units = sizes.reduce((sum, size) => sum + size, 0)
  const { single, part } = limits[encoding]
  const firstForeign = foreign.slice(0, maxForeign)
  if (units <= single) return { encoding, segments: 1, units, left: single - units, foreign: firstForeign }
  let segments = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > part) {
      segments += 1
      used = 0
    }
    used += size
  }
  return { encoding, segments, units, left: part - used, foreign: firstForeign }
}
