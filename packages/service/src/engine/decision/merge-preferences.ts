import { toObject } from '../../json/json.ts'
import type { PreferenceRow } from '../../store/schema/subscriber.ts'

/** What a subscriber has chosen, for everything or for one workflow. */
export type Choices = Pick<PreferenceRow, 'enabled' | 'channels' | 'schedule'>

/**
 * Lays what was chosen for a context over what was chosen for none: what the context's choice leaves out stays as it is.
 *
 * @param general - What was chosen for no context.
 * @param own - What was chosen for the context.
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
