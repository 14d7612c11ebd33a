import { isObject, type JsonObject, type PreferencesManifest } from '@trestle/protocol'
import type { ChannelKind } from './providers/channel-kind.ts'
import { providerIds } from './providers/provider-ids.ts'
import { stepKinds } from './steps/step-kinds.ts'

/** The default preferences of a workflow's recipients. */
export interface Preferences {
  /** The default for every channel, and whether recipients may change it. */
  readonly all?: { readonly enabled?: boolean | undefined; readonly readOnly?: boolean | undefined } | undefined
  /** Exceptions by channel. */
  readonly channels?:
    | { readonly [TChannel in ChannelKind]?: { readonly enabled?: boolean | undefined } | undefined }
    | undefined
}

/** A description of {@link Preferences}, for error messages. */
export const preferencesForm =
  '{ all?: { enabled?, readOnly? }, channels?: { email?, sms?, push?, chat?, inApp?, tool?: { enabled? } } } with true or false'

/** Returns whether a value is a valid {@link Preferences} object. */
export function isPreferences(value: unknown): value is Preferences {
  if (!hasOnly(value, ['all', 'channels'])) return false
  const { all, channels } = value
  if (all !== undefined && !isFlags(all, ['enabled', 'readOnly'])) return false
  return channels === undefined || (hasOnly(channels, Object.keys(providerIds)) && areFlags(channels))
}

function areFlags(channels: JsonObject): boolean {
  return Object.values(channels).every((value) => value === undefined || isFlags(value, ['enabled']))
}

function isFlags(value: unknown, names: readonly string[]): boolean {
  return hasOnly(value, names) && Object.values(value).every((flag) => flag === undefined || typeof flag === 'boolean')
}

function hasOnly(value: unknown, names: readonly string[]): value is JsonObject {
  return isObject(value) && Object.keys(value).every((name) => names.includes(name))
}

/** Returns preferences with the field names of the protocol. */
export function toPreferencesManifest(preferences: Preferences = {}): PreferencesManifest {
  const { all, channels } = preferences
  // JSON omits undefined fields.
  return {
    ...(all && { all }),
    ...(channels && {
      channels: Object.fromEntries(
        Object.entries(channels).map(([channel, value]) => [stepKinds[channel as ChannelKind].type, value]),
      ),
    }),
  } as PreferencesManifest
}
