const withZone = /(?:z|gmt|utc|[ecmp][sd]t|:[\d:.]*\s*(?:[ap]m)?\s*(?:gmt|utc)?[+-]\d{2}:?\d{2})\s*(?:\([^)]*\))?$/i
/** No time is longer, and the pattern takes the square of a text's length. */
const maxLength = 100
const dayOfDate = /^([+-]?\d{4,6})-(\d{2})-(\d{2})/

/**
 * Reads a time that a person or an app wrote. One that names no time zone means the recipient's clock, which is that of UTC
 * in a test, whatever the zone of the machine is.
 *
 * @param text - Such as `2026-04-01T09:00:00Z` or `2026-04-01T09:00`.
 * @returns Milliseconds since 1970; `undefined` where the text is no time.
 */
export function readTime(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxLength || !hasDay(trimmed)) return undefined
  const forms = withZone.test(trimmed) ? [trimmed] : [`${trimmed}Z`, `${trimmed} UTC`]
  return forms.map((form) => Date.parse(form)).find((atMs) => !Number.isNaN(atMs))
}

/** The engine reads 30 February as 2 March. */
function hasDay(text: string): boolean {
  const [, year, month, day] = dayOfDate.exec(text) ?? []
  if (year === undefined) return true
  const last = new Date(0)
  last.setUTCFullYear(Number(year), Number(month), 0)
  return Number(day) <= last.getUTCDate()
}
