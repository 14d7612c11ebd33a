import type { PreferencesManifest } from '@trestle/protocol'
import type { ChannelKind } from './providers/channel-kind.ts'

/** Whether a recipient gets a workflow unless they say otherwise. */
export interface Preferences {
  /** The default of every channel, and whether recipients may change it. */
  readonly all?: { readonly enabled?: boolean; readonly readOnly?: boolean }
  /** Exceptions by channel. */
  readonly channels?: { readonly [TChannel in ChannelKind]?: { readonly enabled?: boolean } }
}

/**
 * Returns preferences the names they have on the wire.
 *
 * @param preferences - As the user wrote them.
 */
export function toPreferencesManifest(preferences: Preferences = {}): PreferencesManifest {
  const { all, channels } = preferences
  return {
    ...(all && { all }),
    ...(channels && {
      channels: Object.fromEntries(
        Object.entries(channels).map(([channel, value]) => [channel === 'inApp' ? 'in_app' : channel, value]),
      ),
    }),
  }
}
