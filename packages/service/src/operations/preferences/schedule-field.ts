import { z } from 'zod'

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const time = z
  .string()
  .regex(/^((0?\d|1[0-2]):[0-5]\d ?[AP]M|([01]?\d|2[0-3]):[0-5]\d)$/i, 'must be a time, such as 09:00 AM or 17:30')
const day = z.strictObject({
  isEnabled: z.boolean('must be true or false'),
  hours: z
    .array(z.strictObject({ start: time, end: time }))
    .max(24)
    .optional(),
})

/** The schema of a weekly schedule: the hours in which a subscriber may receive messages. */
export const scheduleField: z.ZodType<Readonly<Record<string, unknown>>> = z.strictObject({
  isEnabled: z.boolean('must be true or false'),
  weeklySchedule: z.strictObject(Object.fromEntries(days.map((name) => [name, day.optional()]))).optional(),
})
