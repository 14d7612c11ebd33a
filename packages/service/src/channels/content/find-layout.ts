import { readText, toObject, toObjects } from '../../json/json.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { toStorable } from '../base/storable.ts'
import { stepOverrides } from '../provider/provider-overrides.ts'
import type { Layout } from './content-input.ts'
import type { ContentOf } from './content-of.ts'

/** The layout of an email, or why there is none. */
export interface FoundLayout {
  /** The layout; absent if none is used. */
  readonly layout?: Omit<Layout, 'texts'>
  /** A human-readable warning about the choice. */
  readonly warning?: string
}

/**
 * Finds the layout of an email: the trigger's override for the step, the channel, or the whole run, otherwise the
 * step's layout, otherwise the environment's default. `null` in any of these means no layout.
 */
export async function findLayout(tx: Session, delivery: ContentOf): Promise<FoundLayout> {
  const { environmentId } = delivery
  const named = findName(delivery)
  if (named === null) return {}
  const layouts = tx.selectFrom('layouts').selectAll().where('environmentId', '=', environmentId)
  if (named === undefined) {
    const row = await layouts.where('isDefault', '=', 1).executeTakeFirst()
    return row ? { layout: toLayout(row) } : {}
  }
  // The database cannot store this name, so no layout has it.
  const name = toStorable(named)
  const row = await layouts.where((is) => is.or([is('identifier', '=', name), is('id', '=', name)])).executeTakeFirst()
  if (row) return { layout: toLayout(row) }
  return { warning: `The layout "${named}" does not exist; the email is sent without one.` }
}

function findName({ run: { overrides }, job, outputs }: ContentOf): string | null | undefined {
  const places = [
    stepOverrides(overrides, job.stepId)['layoutId'],
    toObject(toObject(overrides['channels'])['email'])['layoutId'],
    toObject(overrides['email'])['layoutIdentifier'],
    overrides['layoutIdentifier'],
    outputs['layoutId'],
  ]
  const layoutId = places.find((value) => value !== undefined)
  return layoutId === null ? null : readText(layoutId)
}

/** Returns a stored layout without its translations. */
export function toLayout({ identifier, content, variables }: LayoutRow): Omit<Layout, 'texts'> {
  const list: unknown = JSON.parse(variables)
  const named = toObjects(list)
  const defaults = named
    .filter(({ name, defaultValue }) => typeof name === 'string' && defaultValue !== undefined)
    .map(({ name, defaultValue }) => [String(name), defaultValue])
  return { identifier, content, defaults: Object.fromEntries(defaults) }
}
