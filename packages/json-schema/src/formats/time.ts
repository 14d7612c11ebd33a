const date = /^(\d{4})-(\d\d)-(\d\d)$/
const time = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i
// Matches most time values; the rest are fully parsed.
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const dayMinutes = 24 * 60
const duration = new RegExp(`^P(?:\\d+W|${span('Y', 'M', 'D')}(?:T${span('H', 'M', 'S')})?|T${span('H', 'M', 'S')})$`)

/**
 * Returns whether a text is a date and time with a time zone: `2026-11-20T10:00:00Z`.
 *
 * @source RFC 3339, section 5.6.
 */
export function isDateTime(text: string): boolean {
  return usual.test(text) || (/[t\s]/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11)))
}

/** Returns whether a text is a date: `2026-11-20`. */
export function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (date.exec(text) ?? []).map(Number)
  return day >= 1 && day <= daysIn(year, month)
}

/**
 * Returns whether a text is a time with a time zone: `10:00:00Z`.
 *
 * @source RFC 3339, sections 5.6 and 5.7 (a leap second ends a UTC day).
 */
export function isTime(text: string): boolean {
  const parts = time.exec(text)
  if (!parts) return false
  const [hour = 0, minute = 0, second = 0] = parts.slice(1, 4).map(Number)
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? -1 : 1)
  return (hour * 60 + minute - offset + dayMinutes) % dayMinutes === dayMinutes - 1
}

/**
 * Returns whether a text is a duration: `P1DT12H`.
 *
 * @source RFC 3339, appendix A.
 */
export function isDuration(text: string): boolean {
  return duration.test(text)
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (monthDays[month - 1] ?? 0)
}

/** Returns the pattern of up to three units, of which none in between may be missing. */
function span(first: string, second: string, third: string): string {
  const last = `\\d+${third}`
  const middle = `\\d+${second}(?:${last})?`
  return `(?:\\d+${first}(?:${middle})?|${middle}|${last})`
}
