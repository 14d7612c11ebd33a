import type {
  BulkPreference,
  BulkPreferencesBody,
  ChannelSwitch,
  Preferences,
  PreferencesBody,
  PreferenceV1,
} from '../resources/preference.ts'

/** Preferences of subscribers. */
export interface SubscriberPreferenceShapes {
  /** Returns all preferences; without `criticality` those of workflows that are not critical. */
  getPreferences: {
    query: { criticality?: 'nonCritical' | 'critical' | 'all'; contextKeys?: readonly string[] }
    result: Preferences
  }
  /** Returns the preferences by workflow, first version. */
  getPreferencesV1: { result: readonly PreferenceV1[] }
  /** Returns the preferences of a level, first version. */
  getPreferencesByLevel: { result: readonly PreferenceV1[] }
  /** Changes the preferences of a workflow, or the global ones. */
  updatePreferences: { body: PreferencesBody; result: Preferences }
  /** Changes the preferences of a workflow, first version. */
  updatePreferenceV1: {
    body: { readonly channel?: ChannelSwitch; readonly enabled?: boolean }
    result: PreferenceV1
  }
  /** Changes the global preferences, first version. */
  updateGlobalPreferencesV1: {
    body: { readonly enabled?: boolean; readonly preferences?: readonly ChannelSwitch[] }
    result: PreferenceV1
  }
  /** Changes the preferences of up to 100 workflows. */
  updatePreferencesBulk: { body: BulkPreferencesBody; result: readonly BulkPreference[] }
}

const rows = {
  getPreferences: { method: 'GET', path: '/v2/subscribers/{subscriberId}/preferences' },
  getPreferencesV1: { method: 'GET', path: '/v1/subscribers/{subscriberId}/preferences' },
  getPreferencesByLevel: {
    method: 'GET',
    path: '/v1/subscribers/{subscriberId}/preferences/{level}',
    choices: { level: ['template', 'global'] },
  },
  updatePreferences: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/preferences', body: true },
  updatePreferenceV1: { method: 'PATCH', path: '/v1/subscribers/{subscriberId}/preferences/{templateId}', body: true },
  updateGlobalPreferencesV1: { method: 'PATCH', path: '/v1/subscribers/{subscriberId}/preferences', body: true },
  updatePreferencesBulk: { method: 'PATCH', path: '/v2/subscribers/{subscriberId}/preferences/bulk', body: true },
} as const

/** Every operation of {@link SubscriberPreferenceShapes}. */
export const subscriberPreferenceRows: Readonly<typeof rows> = Object.freeze(rows)
