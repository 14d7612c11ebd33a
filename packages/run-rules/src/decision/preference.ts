/** A source of preferences: a workflow, or a subscriber. */
export interface PreferenceLayer {
  /** The default for every channel; with `readOnly`, the choices of subscribers are ignored. */
  readonly all?: { readonly enabled?: boolean | undefined; readonly readOnly?: boolean | undefined } | undefined
  /** Exceptions by channel. */
  readonly channels?: Readonly<Record<string, { readonly enabled?: boolean | undefined } | undefined>> | undefined
}

/** The sources of one recipient's preferences for one workflow. */
export interface PreferenceSources {
  /** Whether the workflow is critical: it reaches everyone and ignores all preferences. @default false */
  readonly critical?: boolean | undefined
  /** The preferences in the workflow's code. */
  readonly workflow?: PreferenceLayer | undefined
  /** The preferences saved for the workflow in the service. */
  readonly stored?: PreferenceLayer | undefined
  /** The preferences saved for the workflow and the run's tenant. */
  readonly tenant?: PreferenceLayer | undefined
  /** The subscriber's preferences for all workflows. */
  readonly subscriber?: PreferenceLayer | undefined
  /** The subscriber's preferences for this workflow. */
  readonly subscriberWorkflow?: PreferenceLayer | undefined
}

/** Whether a channel can be used, and the source of that decision. */
export interface PreferenceVerdict {
  /** Whether the message is sent. */
  readonly enabled: boolean
  /** The source of the value; `default` if no source has one. */
  readonly source: keyof PreferenceSources | 'default'
}

const order = ['subscriberWorkflow', 'subscriber', 'tenant', 'stored', 'workflow'] as const

/**
 * Returns whether a workflow can reach a recipient on a channel. The most specific source takes precedence, and within
 * a source the channel overrides `all`. A read-only workflow ignores the subscriber's choices; a critical one ignores
 * all sources.
 *
 * @param sources - The layers of preferences; absent ones are ignored.
 * @param channel - `email`, `sms`, `push`, `chat`, `in_app` or `tool`.
 * @example
 * resolvePreference({ workflow: { all: { enabled: false } } }, 'email') // { enabled: false, source: 'workflow' }
 * @source service-api.md#preferences
 */
export function resolvePreference(sources: PreferenceSources, channel: string): PreferenceVerdict {
  if (sources.critical) return { enabled: true, source: 'critical' }
  const readOnly = sources.stored?.all?.readOnly ?? sources.workflow?.all?.readOnly ?? false
  for (const source of order) {
    if (readOnly && (source === 'subscriber' || source === 'subscriberWorkflow')) continue
    const layer = sources[source]
    const isEnabled = ownChannel(layer, channel) ?? layer?.all?.enabled
    if (isEnabled !== undefined) return { enabled: isEnabled, source }
  }
  return { enabled: true, source: 'default' }
}

function ownChannel(layer: PreferenceLayer | undefined, channel: string): boolean | undefined {
  const channels = layer?.channels
  return channels && Object.hasOwn(channels, channel) ? channels[channel]?.enabled : undefined
}
