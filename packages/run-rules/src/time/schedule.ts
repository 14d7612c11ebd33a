import { createZoneClock } from './zone-clock.ts'

/** The hours of one weekday in which a recipient can be notified. */
export interface ScheduleDay {
  /** Whether the day is used at all. */
  readonly isEnabled?: boolean
  /** Time ranges, `09:00` or `09:00 AM`; without ranges, the whole day. */
  readonly hours?: readonly { readonly start: string; readonly end: string }[]
}

/** The weekly schedule of hours in which a recipient can be notified. */
export interface Schedule {
  /** Whether the schedule is used. */
  readonly isEnabled?: boolean
  /** The days by lowercase English name; on a missing day, the recipient cannot be notified. */
  readonly weeklySchedule?: Readonly<Record<string, ScheduleDay | undefined>>
}

const minuteMs = 60_000
const dayMs = 1440 * minuteMs
/** A range of one weekday is skipped in a week in which the clocks are set forward over it. */
const horizonMs = 15 * dayMs
/** The latest time for which a schedule is used: the latest JavaScript date, minus the days that are looked ahead. */
const latestMs = 8_640_000_000_000_000 - 30 * dayMs

/**
 * Returns the first time, at or after a given one, that is within a recipient's schedule. Ranges include their start and
 * exclude their end; a range that ends before it starts continues past midnight. A schedule that is absent, disabled or
 * never open has no effect.
 *
 * @param fromMs - The earliest time, in milliseconds since 1970.
 * @param timezone - The IANA time zone of the schedule.
 * @returns Milliseconds since 1970; `fromMs` itself if it is within the schedule.
 */
export function toScheduledTime(schedule: Schedule | undefined, fromMs: number, timezone: string): number {
  if (!schedule?.isEnabled || !schedule.weeklySchedule || fromMs > latestMs) return fromMs
  const toLocal = createLocalClock(timezone)
  let atMs = fromMs
  for (const endMs = fromMs + horizonMs; atMs <= endMs; ) {
    const local = toLocal(atMs)
    const minutes = minutesToOpening(schedule, local)
    if (minutes === 0) return atMs
    const startMs = Math.floor(atMs / minuteMs) * minuteMs
    const jumpMs = startMs + minutes * minuteMs
    // If the clocks change in between, advance in quarter hours.
    const isEven = toLocal(jumpMs).minute === (local.minute + minutes) % 1440
    atMs = isEven ? jumpMs : startMs + Math.min(minutes, 15 - (local.minute % 15)) * minuteMs
  }
  return fromMs
}

interface LocalTime {
  readonly weekday: string
  readonly minute: number
}

function createLocalClock(timezone: string): (atMs: number) => LocalTime {
  const clockOf = createZoneClock(timezone)
  return (atMs) => {
    const clock = new Date(clockOf(atMs))
    return { weekday: weekdays[clock.getUTCDay()] ?? '', minute: clock.getUTCHours() * 60 + clock.getUTCMinutes() }
  }
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

function rangesOf(schedule: Schedule, weekday: string): readonly (readonly [number, number])[] {
  const today = toRanges(schedule.weeklySchedule?.[weekday])
  const before = weekdays[(weekdays.indexOf(weekday) + 6) % 7] ?? ''
  const carried = toRanges(schedule.weeklySchedule?.[before]).filter(([start, end]) => end <= start)
  return [
    ...today.map(([start, end]) => [start, end <= start ? 1440 : end] as const),
    ...carried.map(([, end]) => [0, end] as const),
  ]
}

function toRanges(day: ScheduleDay | undefined): readonly (readonly [number, number])[] {
  if (!day?.isEnabled) return []
  if (!day.hours || day.hours.length === 0) return [[0, 1440]]
  return day.hours.flatMap(({ start, end }) => {
    const [from, to] = [toMinute(start), toMinute(end)]
    return from === undefined || to === undefined ? [] : [[from, to] as const]
  })
}

/** Parses a clock time: `17:30`, `05:30 PM` or `24:00`. */
function toMinute(text: string): number | undefined {
  const [, hours, minutes, half] = /^\s*(\d{1,2}):(\d{2})\s*([ap]m)?\s*$/i.exec(text) ?? []
  if (hours === undefined) return undefined
  const afternoon = half?.toLowerCase() === 'pm'
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (afternoon ? 12 : 0)
  const minute = hour * 60 + Number(minutes)
  return minute <= 1440 && Number(minutes) < 60 ? minute : undefined
}

function isOpen(schedule: Schedule, weekday: string, minute: number): boolean {
  return rangesOf(schedule, weekday).some(([start, end]) => start <= minute && minute < end)
}

/** Returns the minutes of local time until an opening on the same day, or until midnight. */
function minutesToOpening(schedule: Schedule, { weekday, minute }: LocalTime): number {
  if (isOpen(schedule, weekday, minute)) return 0
  const starts = rangesOf(schedule, weekday).flatMap(([start]) => (start > minute ? [start] : []))
  return Math.min(1440, ...starts) - minute
}
