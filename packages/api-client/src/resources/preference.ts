import type { ChannelType, PreferenceChannels } from './channel.ts'
import type { ContextMap } from './context.ts'
import type { JsonObject } from './json-object.ts'
import type { WorkflowTrigger } from './workflow-v1.ts'

/** One day of a schedule. */
export interface DaySchedule {
  /** Whether messages are delivered on this day. */
  readonly isEnabled: boolean
  /** The hours they are delivered in. */
  readonly hours?: readonly { readonly start: string; readonly end: string }[] | undefined
}

/** A day of the week. */
export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'

/** When a subscriber wants messages. */
export interface Schedule {
  /** Whether the schedule applies. */
  readonly isEnabled: boolean
  /** The hours by day; a day that is missing has none. */
  readonly weeklySchedule?: { readonly [K in Weekday]?: DaySchedule } | undefined
}

/** The source that decided about a channel. */
export interface PreferenceOverride {
  /** The channel. */
  readonly channel: ChannelType
  /** The source. */
  readonly source: 'subscriber' | 'template' | 'workflowOverride'
}

/** A subscriber's preferences for all workflows. */
export interface GlobalPreference {
  /** Whether anything is delivered. */
  readonly enabled: boolean
  /** The channels. */
  readonly channels: PreferenceChannels
  /** When messages are delivered. */
  readonly schedule?: Schedule
}

/** A subscriber's preferences for one workflow. */
export interface WorkflowPreference {
  /** Whether anything is delivered. */
  readonly enabled: boolean
  /** The channels. */
  readonly channels: PreferenceChannels
  /** The sources of the channels' values. */
  readonly overrides: readonly PreferenceOverride[]
  /** The workflow. */
  readonly workflow: {
    readonly slug: string
    readonly identifier: string
    readonly name: string
    readonly updatedAt?: string
  }
  /** When it was last changed. */
  readonly updatedAt?: string
}

/** All preferences of a subscriber. */
export interface Preferences {
  /** For all workflows. */
  readonly global: GlobalPreference
  /** By workflow. */
  readonly workflows: readonly WorkflowPreference[]
}

/** A change of preferences: of one workflow where it is named, else of all. */
export interface PreferencesBody {
  /** The channels. */
  readonly channels?: PreferenceChannels | undefined
  /** The workflow, by id or identifier. */
  readonly workflowId?: string | undefined
  /** When messages are delivered. */
  readonly schedule?: Schedule | undefined
  /** The contexts it applies to. */
  readonly context?: ContextMap | undefined
}

/** A change of the preferences of many workflows, at most 100. */
export interface BulkPreferencesBody {
  /** The workflows and their channels. */
  readonly preferences: readonly { readonly workflowId: string; readonly channels: PreferenceChannels }[]
  /** The contexts it applies to. */
  readonly context?: ContextMap | undefined
}

/** One preference after a bulk change. */
export interface BulkPreference {
  /** Whether it is for all workflows or one. */
  readonly level: 'global' | 'template'
  /** Whether anything is delivered. */
  readonly enabled: boolean
  /** The channels. */
  readonly channels: PreferenceChannels
  /** The workflow, where it is for one; its fields are not specified. */
  readonly workflow?: JsonObject
  /** The condition it applies under, in JSON logic. */
  readonly condition?: JsonObject
}

/** A preference of the first version. */
export interface PreferenceV1 {
  /** The workflow; absent in the preference for all. */
  readonly template?: {
    readonly _id: string
    readonly name: string
    readonly critical: boolean
    readonly triggers: readonly WorkflowTrigger[]
  }
  /** The preference. */
  readonly preference: {
    readonly enabled: boolean
    readonly channels: PreferenceChannels
    readonly overrides?: readonly PreferenceOverride[]
  }
}

/** A channel that is switched on or off. */
export interface ChannelSwitch {
  /** The channel. */
  readonly type: ChannelType
  /** Whether it is used. */
  readonly enabled: boolean
}
