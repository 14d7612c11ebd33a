interface CronField {
  readonly least: number
  readonly most: number
  /** Three-letter names of numbers, starting with the smallest number. */
  readonly names: string
}

const minutes: CronField = { least: 0, most: 59, names: '' }
const hours: CronField = { least: 0, most: 23, names: '' }
const days: CronField = { least: 1, most: 31, names: '' }
const months: CronField = { least: 1, most: 12, names: 'janfebmaraprmayjunjulaugsepoctnovdec' }
const weekdays: CronField = { least: 0, most: 7, names: 'sunmontuewedthufrisat' }
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Every possible set of times fits; longer lists repeat numbers, and would take long to check. */
const maxLength = 1000

/**
 * Returns whether a text of at most 1,000 characters is a cron expression that matches at least one time. It has five
 * fields (minute, hour, day of month, month, day of week), or six starting with seconds. Supports numbers, names of
 * months and days, `*`, lists, ranges and steps.
 */
export function isCron(text: string): boolean {
  if (text.length > maxLength) return false
  const fields = text.trim().split(/\s+/)
  if (fields.length === 6 && !valuesOf(fields.shift() ?? '', minutes)) return false
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  if (fields.length !== 5 || !valuesOf(minute, minutes) || !valuesOf(hour, hours) || !valuesOf(weekday, weekdays))
    return false
  const inMonth = valuesOf(day, days)
  const inYear = valuesOf(month, months)
  if (!inMonth || !inYear) return false
  // If the day of week is set, either day may match; otherwise, the day must exist in one of the months.
  return weekday !== '*' || inYear.some((number) => Math.min(...inMonth) <= (monthDays[number - 1] ?? 0))
}

/** Returns the numbers of a field, or `undefined` if it is invalid. */
function valuesOf(text: string, field: CronField): readonly number[] | undefined {
  const values: number[] = []
  for (const item of text.split(',')) {
    const [, start = '', end, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(item) ?? []
    const from = start === '*' ? field.least : numberOf(start, field)
    const to = start === '*' ? field.most : numberOf(end ?? start, field)
    const by = step === undefined ? 1 : Number(step)
    if (from === undefined || to === undefined || from > to || by < 1) return undefined
    // A step requires a range, and a star counts as one.
    if (start === '*' ? end !== undefined : step !== undefined && end === undefined) return undefined
    if (step !== undefined && by > field.most) return undefined
    for (let value = from; value <= to; value += by) values.push(value)
  }
  return values
}

function numberOf(text: string, { least, most, names }: CronField): number | undefined {
  const at = text.length === 3 ? names.indexOf(text.toLowerCase()) : -1
  const value = at >= 0 && at % 3 === 0 ? least + at / 3 : /^\d{1,2}$/.test(text) ? Number(text) : -1
  return value >= least && value <= most ? value : undefined
}
