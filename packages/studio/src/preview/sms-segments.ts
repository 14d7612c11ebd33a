/** How a text is cut into short messages. */
export interface SmsSegments {
  /** `GSM-7` while every character is in that alphabet, else `UCS-2`. */
  readonly encoding: 'GSM-7' | 'UCS-2'
  /** How many short messages the network carries, and most providers charge. */
  readonly segments: number
  /** Units that the text takes: septets or UTF-16 code units. */
  readonly units: number
  /** Units that the last segment has left. */
  readonly left: number
  /** The first characters that are not in the GSM-7 alphabet, each once. */
  readonly foreign: readonly string[]
}

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Characters that are sent as an escape and a second septet. */
const extended = new Set('\f^{}\\[~]|€')

const limits = { 'GSM-7': { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } } as const
const maxForeign = 5

/**
 * Counts the short messages that a text takes. A character of two units is never cut, as networks do it.
 *
 * @param text - The text.
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
  const shown = foreign.slice(0, maxForeign)
  if (units <= single) return { encoding, segments: 1, units, left: single - units, foreign: shown }
  let segments = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > part) {
      segments += 1
      used = 0
    }
    used += size
  }
  return { encoding, segments, units, left: part - used, foreign: shown }
}
