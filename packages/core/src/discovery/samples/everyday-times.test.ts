import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Condition, sidesOf, withAndWithout } from './everyday.fixture.ts'

const payloadSchema = z.object({
  at: z.string(),
  due: z.iso.datetime(),
  day: z.iso.date(),
  ms: z.number(),
  n: z.number(),
  trialEndsAt: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().optional(),
})

/** How long ago something was, or how soon it will be, between two bounds. */
const conditions: readonly Condition[] = [
  ({ payload }) => {
    const days = Math.floor((Date.now() - Date.parse(payload.at)) / 86400000)
    return days > 30 && days < 60
  },
  ({ payload }) => {
    const daysLeft = Math.ceil((new Date(payload.trialEndsAt).getTime() - Date.now()) / (1000 * 60 * 60 * 24))
    return daysLeft <= 3 && daysLeft > 0
  },
  ({ payload }) => {
    // biome-ignore lint/complexity/useDateNow: user code may write so.
    const daysLeft = Math.ceil((+new Date(payload.trialEndsAt) - +new Date()) / (24 * 60 * 60 * 1000))
    return daysLeft === 7
  },
  ({ payload }) => {
    const day = 24 * 60 * 60 * 1000
    const age = Date.now() - new Date(payload.createdAt).getTime()
    return age > 7 * day && age < 14 * day
  },
  ({ payload }) => {
    const hours = (Date.now() - new Date(payload.lastSeenAt ?? 0).getTime()) / 3600000
    return hours > 24 && hours < 48
  },
  ({ payload }) => {
    const d = new Date(payload.due)
    const now = new Date()
    return d > now && d.getTime() - now.getTime() < 3600_000
  },
  ({ payload }) => {
    const diff = new Date(payload.due).valueOf() - Date.now()
    return diff > 0 && diff < 5 * 60 * 1000
  },
  ({ payload }) => {
    const mins = Math.round((+new Date(payload.due) - Date.now()) / 60000)
    return mins >= 10 && mins <= 15
  },
  ({ payload }) => {
    const age = (Date.now() - payload.ms) / 1000
    return age > 60 && age < 120
  },
  ({ payload }) => {
    const ends = new Date(payload.trialEndsAt)
    ends.setDate(ends.getDate() - 3)
    return ends < new Date()
  },
  ({ payload }) => {
    const cutoff = new Date()
    cutoff.setDate(cutoff.getDate() - 90)
    return new Date(payload.lastSeenAt ?? 0) < cutoff
  },
  ({ payload }) => {
    const cutoff = new Date(Date.now() - 30 * 864e5)
    return new Date(payload.createdAt) > cutoff
  },
  ({ payload }) => new Date(payload.due).toDateString() === new Date().toDateString(),
  ({ payload }) => {
    const today = new Date().toISOString().slice(0, 10)
    return payload.day === today
  },
  ({ payload }) => {
    const today = new Date().toISOString().slice(0, 10)
    return payload.day < today
  },
  ({ payload }) => {
    const d = Math.abs(Date.parse(payload.due) - Date.now()) / 36e5
    return d < 1
  },
  ({ payload }) => {
    const weeks = Math.floor((Date.now() - Date.parse(payload.createdAt)) / 6048e5)
    return weeks === 2
  },
  ({ payload }) => {
    const stages = [1, 3, 7]
    const days = Math.floor((Date.now() - Date.parse(payload.createdAt)) / 864e5)
    return stages.includes(days)
  },
  ({ payload }) => {
    const months =
      (new Date().getFullYear() - new Date(payload.createdAt).getFullYear()) * 12 +
      new Date().getMonth() -
      new Date(payload.createdAt).getMonth()
    return months >= 6 && months < 12
  },
  ({ payload }) => {
    const left = Math.floor((Date.parse(payload.trialEndsAt) - Date.now()) / 864e5)
    const kind = left < 0 ? 'over' : left <= 1 ? 'last' : left <= 7 ? 'soon' : 'far'
    return kind === 'soon'
  },
  ({ payload }) => {
    const expires = new Date(payload.createdAt).getTime() + 14 * 864e5
    return expires > Date.now() && expires < Date.now() + 864e5
  },
  ({ payload }) => {
    const age = new Date().getFullYear() - new Date(payload.day).getFullYear()
    return age >= 18 && age < 21
  },
  ({ payload }) => {
    const b = new Date(payload.day)
    const t = new Date()
    return b.getMonth() === t.getMonth() && b.getDate() === t.getDate()
  },
  ({ payload }) => {
    const d = new Date(payload.due)
    return d.getUTCHours() >= 9 && d.getUTCHours() < 17 && d.getUTCDay() > 0 && d.getUTCDay() < 6
  },
  ({ payload }) => {
    const seconds = Math.trunc(Date.now() / 1000) - payload.n
    return seconds > 300 && seconds < 600
  },
]

// A date more than 8.64e15 milliseconds from 1970 is none.
test.each([
  ({ payload }) => Date.now() - payload.ms > 9_000_000_000_000_000,
  ({ payload }) => Date.now() - Date.parse(payload.createdAt) > 8_640_000_000_000_000,
  ({ payload }) => Date.now() * 1_000_000 > Date.parse(payload.due) * 1_000_000 + 1e18,
] satisfies Condition[])('a bound that no date reaches does no harm in %s', async (isMet) => {
  for (const options of [{ payloadSchema }, {}]) expect(await sidesOf(isMet, options)).toContain('no')
})

test.each(withAndWithout(conditions, payloadSchema))('both sides are found of %s', async (_source, isMet, options) => {
  expect(await sidesOf(isMet, options)).toEqual(['no', 'yes'])
})
