import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Condition, type Data, sidesOf, withAndWithout } from './everyday.fixture.ts'

const payloadSchema = z.object({
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  checkIn: z.iso.date(),
  checkOut: z.iso.date(),
  sentAt: z.string(),
  readAt: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  slots: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime() })),
})

/** How far two times of the data are apart. */
const conditions: readonly Condition[] = [
  ({ payload }) => Math.round((Date.parse(payload.checkOut) - Date.parse(payload.checkIn)) / 864e5) === 1,
  ({ payload }) => {
    const nights = (new Date(payload.checkOut).getTime() - new Date(payload.checkIn).getTime()) / 86_400_000
    return nights >= 2 && nights <= 6
  },
  ({ payload }) => {
    const days = (+new Date(payload.end) - +new Date(payload.start)) / (24 * 60 * 60 * 1000)
    return days > 7 && days <= 30
  },
  ({ payload }) => {
    const ms = new Date(payload.end).getTime() - new Date(payload.start).getTime()
    return ms > 3600_000 && ms < 1000 * 60 * 60 * 24
  },
  ({ payload }) => {
    const diffDays = (a: string, b: string) =>
      Math.floor((new Date(b).getTime() - new Date(a).getTime()) / (1000 * 60 * 60 * 24))
    const length = diffDays(payload.checkIn, payload.checkOut)
    return length > 7 && length <= 30
  },
  ({ payload }) => {
    const hours = Math.abs(Date.parse(payload.readAt) - Date.parse(payload.sentAt)) / 36e5
    return hours > 4 && hours < 24
  },
  ({ payload }) => payload.start.slice(0, 10) === payload.end.slice(0, 10),
  ({ payload }) => new Date(payload.start).toDateString() === new Date(payload.end).toDateString(),
  ({ payload }) => payload.start.split('T')[0] !== payload.end.split('T')[0],
  ({ payload }) => new Date(payload.start).getMonth() !== new Date(payload.end).getMonth(),
  ({ payload }) => new Date(payload.end) < new Date(payload.start),
  ({ payload }) => payload.checkOut <= payload.checkIn,
  ({ payload }) => {
    const limit = new Date(payload.start)
    limit.setDate(limit.getDate() + 14)
    return new Date(payload.end) > limit
  },
  ({ payload }) => {
    const minutes = (payload.updatedAt - payload.createdAt) / 60_000
    return minutes > 5 && minutes < 15
  },
  ({ payload }) => payload.slots.some((one: Data) => Date.parse(one.to) - Date.parse(one.from) > 7_200_000),
  ({ payload }) => {
    const long = payload.slots.filter((one: Data) => {
      const minutes = (new Date(one.to).getTime() - new Date(one.from).getTime()) / 60000
      return minutes >= 15 && minutes < 20
    })
    return long.length > 0
  },
  ({ payload }) => {
    const { start, end } = payload
    const weeks = Math.ceil((new Date(end).valueOf() - new Date(start).valueOf()) / 604_800_000)
    return weeks === 3
  },
  ({ payload }) => {
    const [from, to] = [new Date(payload.start), new Date(payload.end)]
    return to.getTime() - from.getTime() === 0
  },
]

test.each(withAndWithout(conditions, payloadSchema))('both sides of %s are found', async (_source, isMet, options) => {
  expect(await sidesOf(isMet, options)).toEqual(['no', 'yes'])
})
