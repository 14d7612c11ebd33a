import { type JsonObject, messageTypes } from '@trestle/protocol'
import { type PreferenceLayer, type PreferenceSources, resolvePreference } from '@trestle/run-rules'
import { compact, toObject } from '../../json/json.ts'
import type { PreferenceRow } from '../../store/schema/subscriber.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'

/** API names of the sources of a decision. */
const sources: Readonly<Record<string, string>> = {
  subscriberWorkflow: 'subscriber',
  subscriber: 'subscriber',
  stored: 'template',
  workflow: 'template',
  tenant: 'workflowOverride',
  critical: 'template',
  default: 'template',
}

/** The columns of a workflow that preferences depend on. */
export type PreferenceWorkflow = Pick<
  WorkflowRow,
  | 'id'
  | 'identifier'
  | 'name'
  | 'critical'
  | 'preferences'
  | 'userPreferences'
  | 'steps'
  | 'updatedAt'
  | 'tags'
  | 'severity'
>

/** Manifests and schemas are much larger than these columns, and there may be thousands of workflows. */
export const preferenceColumns: readonly (keyof PreferenceWorkflow)[] = Object.freeze([
  'id',
  'identifier',
  'name',
  'critical',
  'preferences',
  'userPreferences',
  'steps',
  'updatedAt',
  'tags',
  'severity',
])

/** A workflow with the preferences of a subscriber. */
export interface PreferenceParts {
  readonly workflow: PreferenceWorkflow
  /** The preference for all workflows. */
  readonly global: PreferenceRow | undefined
  /** The preference for this workflow. */
  readonly own: PreferenceRow | undefined
}

/** The effective preference of a subscriber for a workflow. */
export interface Effective {
  /** Whether any message is sent. */
  readonly enabled: boolean
  /** Whether messages are sent, by channel. */
  readonly channels: Readonly<Record<string, boolean>>
  /** The source of the decision, by channel. */
  readonly overrides: readonly { readonly channel: string; readonly source: string }[]
}

/** Returns whether subscribers cannot disable a workflow. */
export function isCritical({ critical, preferences, userPreferences }: PreferenceWorkflow): boolean {
  const layers = [userPreferences ?? '{}', preferences].map((text) => toObject(toObject(JSON.parse(text))['all']))
  const readOnly = layers.map((all) => all['readOnly']).find((value) => typeof value === 'boolean')
  return critical === 1 || readOnly === true
}

/** Returns the effective preference for the channels that the workflow uses. */
export function resolveChannels({ workflow, global, own }: PreferenceParts): Effective {
  const layers: PreferenceSources = {
    critical: workflow.critical === 1,
    workflow: toObject(JSON.parse(workflow.preferences)) as PreferenceLayer,
    stored: toObject(JSON.parse(workflow.userPreferences ?? '{}')) as PreferenceLayer,
    subscriber: toLayer(global),
    subscriberWorkflow: toLayer(own),
  }
  const types = new Set((JSON.parse(workflow.steps) as readonly { readonly type: string }[]).map(({ type }) => type))
  const used = messageTypes.filter((channel) => types.has(channel))
  const verdicts = used.map((channel) => ({ channel, ...resolvePreference(layers, channel) }))
  return {
    enabled: resolvePreference(layers, 'every channel').enabled,
    channels: Object.fromEntries(verdicts.map(({ channel, enabled }) => [channel, enabled])),
    overrides: verdicts.map(({ channel, source }) => ({ channel, source: sources[source] ?? 'template' })),
  }
}

/** Returns the global preference in the API format. */
export function toGlobal(row: PreferenceRow | undefined): JsonObject {
  return compact({
    enabled: row?.enabled !== 0,
    channels: toObject(JSON.parse(row?.channels ?? '{}')),
    schedule: row?.schedule == null ? undefined : JSON.parse(row.schedule),
  })
}

/** Returns the preferences for one workflow in the API v2 format. */
export function toWorkflowPreference(parts: PreferenceParts): JsonObject {
  const { workflow, own } = parts
  const { enabled, channels, overrides } = resolveChannels(parts)
  const updatedAt = own && new Date(own.updatedAt).toISOString()
  return compact({
    enabled,
    channels,
    overrides,
    workflow: {
      slug: `${workflow.identifier}_wf_${workflow.id}`,
      identifier: workflow.identifier,
      name: workflow.name,
      updatedAt: new Date(workflow.updatedAt).toISOString(),
    },
    updatedAt,
  })
}

/** Returns the preferences of one workflow as an item in a list of preferences from several levels. */
export function toPreferenceItem(parts: PreferenceParts): JsonObject {
  const { enabled, channels } = resolveChannels(parts)
  const { id, identifier, name, tags, severity } = parts.workflow
  const workflow = { id, identifier, name, critical: isCritical(parts.workflow), severity, tags: JSON.parse(tags) }
  return { level: 'template', enabled, channels, workflow }
}

function toLayer(row: PreferenceRow | undefined): PreferenceLayer | undefined {
  if (!row) return undefined
  const chosen = Object.entries(toObject(JSON.parse(row.channels))).map(([channel, enabled]) => [channel, { enabled }])
  const all = row.enabled === null ? {} : { all: { enabled: row.enabled === 1 } }
  return { ...all, channels: Object.fromEntries(chosen) }
}
