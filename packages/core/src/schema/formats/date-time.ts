const form = /^(\d{4})-(\d\d)-(\d\d)[Tt\s](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/
// Matches most time values; the rest are fully parsed.
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const dayMinutes = 24 * 60

/**
 * Returns whether a text is a date and time with a time zone: `2026-11-20T10:00:00Z`.
 *
 * @source RFC 3339, sections 5.6 and 5.7 (a leap second ends a UTC day).
 */
export function isDateTime(text: string): boolean {
  if (usual.test(text)) return true
  const parts = form.exec(text)
  if (!parts) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number)
  const offset = parts[7] ? (Number(parts[8]) * 60 + Number(parts[9])) * (parts[7] === '+' ? 1 : -1) : 0
  if (hour > 23 || minute > 59 || second > 60 || Number(parts[8] ?? 0) > 23 || Number(parts[9] ?? 0) > 59) return false
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false
  if (second < 60) return true
  return (hour * 60 + minute - offset + dayMinutes) % dayMinutes === dayMinutes - 1
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (monthDays[month - 1] ?? 0)
}
