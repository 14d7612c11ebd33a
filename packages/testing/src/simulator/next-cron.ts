interface CronField {
  readonly least: number
  readonly most: number
  /** Names of numbers from the smallest on, three letters each. */
  readonly names: string
}

const fields: readonly CronField[] = [
  { least: 0, most: 59, names: '' },
  { least: 0, most: 23, names: '' },
  { least: 1, most: 31, names: '' },
  { least: 1, most: 12, names: 'janfebmaraprmayjunjulaugsepoctnovdec' },
  { least: 0, most: 7, names: 'sunmontuewedthufrisat' },
]
const minuteMs = 60_000
const dayMs = 86_400_000
// Once in eight years the 29th of February fails to come; a day of week beside it is met sooner.
const maxDays = 366 * 9

/**
 * Finds the first minute after a time that a cron expression meets, in UTC.
 *
 * @param expression - Five fields: minute, hour, day of month, month, day of week. The bridge has checked its form.
 * @param afterMs - The time, milliseconds since 1970.
 * @returns Milliseconds since 1970; `undefined` when it is never met.
 */
export function nextCronMs(expression: string, afterMs: number): number | undefined {
  const texts = expression.trim().split(/\s+/)
  const [minutes, hours, days, months, weekdays] = fields.map((field, at) => toValues(texts[at] ?? '*', field))
  if (!minutes || !hours || !days || !months || !weekdays) return undefined
  const anyDay = texts[2] === '*'
  const anyWeekday = texts[4] === '*'
  const isDay = (at: Date): boolean => {
    const inMonth = days.has(at.getUTCDate())
    const inWeek = weekdays.has(at.getUTCDay()) || (at.getUTCDay() === 0 && weekdays.has(7))
    // Two days that are both restricted: either of them counts.
    return months.has(at.getUTCMonth() + 1) && (anyDay || anyWeekday ? inMonth && inWeek : inMonth || inWeek)
  }
  const firstMs = Math.floor(afterMs / minuteMs + 1) * minuteMs
  const firstDayMs = Math.floor(firstMs / dayMs) * dayMs
  for (let day = 0; day < maxDays; day++) {
    const dayStartMs = firstDayMs + day * dayMs
    if (!isDay(new Date(dayStartMs))) continue
    for (const hour of hours)
      for (const minute of minutes) {
        const atMs = dayStartMs + (hour * 60 + minute) * minuteMs
        if (atMs >= firstMs) return atMs
      }
  }
  return undefined
}

/** The numbers a field stands for, smallest first. */
function toValues(text: string, field: CronField): ReadonlySet<number> {
  const values = text.split(',').flatMap((item) => {
    const [range = '*', step] = item.split('/')
    const [start = '', end] = range.split('-')
    const from = start === '*' ? field.least : numberOf(start, field)
    const to = start === '*' ? field.most : numberOf(end ?? start, field)
    const found: number[] = []
    for (let value = from; value <= to; value += Number(step ?? 1)) found.push(value)
    return found
  })
  return new Set(values.sort((left, right) => left - right))
}

function numberOf(text: string, { least, names }: CronField): number {
  const at = text.length === 3 ? names.indexOf(text.toLowerCase()) : -1
  return at >= 0 ? least + at / 3 : Number(text)
}
