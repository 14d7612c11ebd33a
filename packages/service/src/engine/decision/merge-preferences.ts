import { toObject } from '../../json/json.ts'
import type { PreferenceRow } from '../../store/schema/subscriber.ts'

/** Preferences of a subscriber, for all workflows or for one. */
export type Choices = Pick<PreferenceRow, 'enabled' | 'channels' | 'schedule'>

/**
 * Merges the preferences for a context with the general ones. The general ones apply to everything that the context
 * does not set.
 *
 * @param general - Preferences without a context.
 * @param own - Preferences for the context.
 */
export function mergePreferences<TRow extends Choices>(
  general: TRow | undefined,
  own: TRow | undefined,
): TRow | undefined {
  if (!general || !own) return own ?? general
  return {
    ...own,
    enabled: own.enabled ?? general.enabled,
    channels: JSON.stringify({ ...toObject(JSON.parse(general.channels)), ...toObject(JSON.parse(own.channels)) }),
    schedule: own.schedule ?? general.schedule,
  }
}
