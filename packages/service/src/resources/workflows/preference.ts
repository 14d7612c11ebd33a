import { z } from 'zod'
import { channelType, preferenceChannels } from '../channel.ts'
import { jsonRecord } from '../json-record.ts'
import { named } from '../named.ts'
import { workflowTrigger } from './workflow-v1.ts'

export const daySchedule: z.ZodType = named('DaySchedule', 'One day of a schedule.', {
  isEnabled: z.boolean().describe('Whether messages are delivered on this day.'),
  hours: z
    .array(
      z.object({
        start: z.string(),
        end: z.string(),
      }),
    )
    .optional()
    .describe('The delivery hours.'),
})

export const schedule: z.ZodType = named('Schedule', 'When a subscriber accepts messages.', {
  isEnabled: z.boolean().describe('Whether the schedule applies.'),
  weeklySchedule: z
    .object({
      monday: daySchedule.optional(),
      tuesday: daySchedule.optional(),
      wednesday: daySchedule.optional(),
      thursday: daySchedule.optional(),
      friday: daySchedule.optional(),
      saturday: daySchedule.optional(),
      sunday: daySchedule.optional(),
    })
    .optional()
    .describe('The hours by day; none on missing days.'),
})

export const preferenceOverride: z.ZodType = named('PreferenceOverride', 'The source that decided about a channel.', {
  channel: channelType.describe('The channel.'),
  source: z.enum(['subscriber', 'template', 'workflowOverride']).describe('The source.'),
})

export const globalPreference: z.ZodType = named('GlobalPreference', "A subscriber's preferences for all workflows.", {
  enabled: z.boolean().describe('Whether messages are delivered.'),
  channels: preferenceChannels.describe('The channels.'),
  schedule: schedule.optional().describe('When messages are delivered.'),
})

export const workflowPreference: z.ZodType = named(
  'WorkflowPreference',
  "A subscriber's preferences for one workflow.",
  {
    enabled: z.boolean().describe('Whether messages are delivered.'),
    channels: preferenceChannels.describe('The channels.'),
    overrides: z.array(preferenceOverride).describe("The sources of the channels' values."),
    workflow: z
      .object({
        slug: z.string(),
        identifier: z.string(),
        name: z.string(),
        updatedAt: z.string().optional(),
      })
      .describe('The workflow.'),
    updatedAt: z.string().optional().describe('When it was last changed.'),
  },
)

export const preferences: z.ZodType = named('Preferences', 'All preferences of a subscriber.', {
  global: globalPreference.describe('For all workflows.'),
  workflows: z.array(workflowPreference).describe('By workflow.'),
})

export const bulkPreference: z.ZodType = named('BulkPreference', 'One preference after a bulk change.', {
  level: z.enum(['global', 'template']).describe('Whether it is for all workflows or one.'),
  enabled: z.boolean().describe('Whether messages are delivered.'),
  channels: preferenceChannels.describe('The channels.'),
  workflow: jsonRecord.optional().describe('The workflow, if it is for one; its fields are not specified.'),
  condition: jsonRecord.optional().describe('The condition for applying it, in JSON logic.'),
})

export const preferenceV1: z.ZodType = named('PreferenceV1', 'A preference (v1).', {
  template: z
    .object({
      _id: z.string(),
      name: z.string(),
      critical: z.boolean(),
      triggers: z.array(workflowTrigger),
    })
    .optional()
    .describe('The workflow; absent in the preference for all workflows.'),
  preference: z
    .object({
      enabled: z.boolean(),
      channels: preferenceChannels,
      overrides: z.array(preferenceOverride).optional(),
    })
    .describe('The preference.'),
})
