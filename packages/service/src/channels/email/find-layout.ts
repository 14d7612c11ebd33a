import { isObject, readText, toObject } from '../../json/json.ts'
import type { LayoutRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import type { Delivery } from '../base/delivery.ts'
import { toStorable } from '../base/storable.ts'
import { stepOverrides } from '../provider/provider-overrides.ts'
import type { Layout } from './layout.ts'

/** The layout of a mail, or why there is none. */
export interface FoundLayout {
  /** The layout; absent where the mail has none. */
  readonly layout?: Layout
  /** A warning about the choice, for people. */
  readonly warning?: string
}

/**
 * Finds the layout of a mail: the one the trigger names for the step, for the channel, or for the whole run, else the
 * one of the step, else the default one of the environment. `null` in one of these places means none.
 *
 * @param tx - The transaction.
 * @param delivery - The mail.
 */
export async function findLayout(tx: Session, delivery: Delivery): Promise<FoundLayout> {
  const { environmentId } = delivery
  const named = findName(delivery)
  if (named === null) return {}
  const layouts = tx.selectFrom('layouts').selectAll().where('environmentId', '=', environmentId)
  if (named === undefined) {
    const row = await layouts.where('isDefault', '=', 1).executeTakeFirst()
    return row ? { layout: toLayout(row) } : {}
  }
  // A name that no database can hold is no layout's.
  const name = toStorable(named)
  const row = await layouts.where((is) => is.or([is('identifier', '=', name), is('id', '=', name)])).executeTakeFirst()
  if (row) return { layout: toLayout(row) }
  return { warning: `There is no layout "${named}"; the mail is sent without one.` }
}

function findName({ run: { overrides }, job, outputs }: Delivery): string | null | undefined {
  const places = [
    stepOverrides(overrides, job.stepId)['layoutId'],
    toObject(toObject(overrides['channels'])['email'])['layoutId'],
    toObject(overrides['email'])['layoutIdentifier'],
    overrides['layoutIdentifier'],
    outputs['layoutId'],
  ]
  const found = places.find((value) => value !== undefined)
  return found === null ? null : readText(found)
}

function toLayout({ identifier, content, variables }: LayoutRow): Layout {
  const list: unknown = JSON.parse(variables)
  const named = Array.isArray(list) ? list.filter(isObject) : []
  const defaults = named
    .filter(({ name, defaultValue }) => typeof name === 'string' && defaultValue !== undefined)
    .map(({ name, defaultValue }) => [String(name), defaultValue])
  return { identifier, content, defaults: Object.fromEntries(defaults) }
}
