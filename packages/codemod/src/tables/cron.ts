const everyHours = Object.fromEntries(
  [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((hours) => [`EVERY_${hours}_HOURS`, `0 0-23/${hours} * * *`]),
)
const hourNames = [
  ['MIDNIGHT', 0],
  ['NOON', 12],
  ...Array.from({ length: 11 }, (_, index) => [`${index + 1}AM`, index + 1] as const),
  ...Array.from({ length: 11 }, (_, index) => [`${index + 1}PM`, index + 13] as const),
] as const
const daily = Object.fromEntries(hourNames.map(([name, hour]) => [`EVERY_DAY_AT_${name}`, `0 ${hour} * * *`]))
const onWeekdays = Object.fromEntries(
  [...hourNames.slice(2), ['12PM', 12] as const].map(([name, hour]) => [
    `MONDAY_TO_FRIDAY_AT_${name}`,
    `0 ${hour} * * 1-5`,
  ]),
)

const expressions: Readonly<Record<string, string>> = {
  EVERY_SECOND: '* * * * * *',
  EVERY_5_SECONDS: '*/5 * * * * *',
  EVERY_10_SECONDS: '*/10 * * * * *',
  EVERY_30_SECONDS: '*/30 * * * * *',
  EVERY_MINUTE: '*/1 * * * *',
  EVERY_5_MINUTES: '*/5 * * * *',
  EVERY_10_MINUTES: '*/10 * * * *',
  EVERY_30_MINUTES: '*/30 * * * *',
  EVERY_HOUR: '0 * * * *',
  ...everyHours,
  ...daily,
  ...onWeekdays,
  MONDAY_TO_FRIDAY_AT_09_30AM: '30 9 * * 1-5',
  MONDAY_TO_FRIDAY_AT_11_30AM: '30 11 * * 1-5',
  EVERY_WEEK: '0 0 * * 0',
  EVERY_WEEKDAY: '0 0 * * 1-5',
  EVERY_WEEKEND: '0 0 * * 6,0',
  EVERY_1ST_DAY_OF_MONTH_AT_MIDNIGHT: '0 0 1 * *',
  EVERY_1ST_DAY_OF_MONTH_AT_NOON: '0 12 1 * *',
  EVERY_2ND_DAY_OF_MONTH_AT_10AM: '0 10 2 * *',
  EVERY_2ND_HOUR: '0 */2 * * *',
  EVERY_2ND_HOUR_FROM_1AM_THROUGH_11PM: '0 1-23/2 * * *',
  EVERY_2ND_MONTH: '0 0 1 */2 *',
  EVERY_QUARTER: '0 0 1 */3 *',
  EVERY_6_MONTHS: '0 0 1 */6 *',
  EVERY_YEAR: '0 0 1 1 *',
  EVERY_30_MINUTES_BETWEEN_9AM_AND_5PM: '*/30 9-17 * * *',
  EVERY_30_MINUTES_BETWEEN_9AM_AND_6PM: '*/30 9-18 * * *',
  EVERY_30_MINUTES_BETWEEN_10AM_AND_7PM: '*/30 10-19 * * *',
}

/** Cron names whose former expression did not match their meaning. */
const mended: Readonly<Record<string, string>> = {
  EVERY_YEAR: 'The expression named month 0, which does not exist; it is now January 1.',
}

/** Returns the expression of a cron name; `undefined` for an unknown name. */
export function toCron(name: string): string | undefined {
  return Object.hasOwn(expressions, name) ? expressions[name] : undefined
}

/** Returns the remark on a corrected expression. */
export function toCronRemark(name: string): string | undefined {
  return Object.hasOwn(mended, name) ? mended[name] : undefined
}

/**
 * Returns the enumeration with its former expressions: as the choices of a control, they must match the values that a
 * service has stored. Only a corrected expression differs.
 */
export function toCronEnumeration(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(expressions).map(([name, cron]) => [name, toFormer(name, cron)]))
}

function toFormer(name: string, cron: string): string {
  const [minute = '', hour = ''] = cron.split(' ')
  if (name.startsWith('MONDAY_TO_FRIDAY')) return `0 ${minute} ${hour.padStart(2, '0')} * * 1-5`
  if (/^EVERY_(?:5|10|30)_MINUTES/.test(name)) return `0 ${cron}`
  if (/^EVERY_DAY_AT_\dAM$/.test(name)) return `0 ${hour.padStart(2, '0')} * * *`
  return name === 'EVERY_HOUR' ? '0 0-23/1 * * *' : cron
}
