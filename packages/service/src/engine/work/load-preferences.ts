import type { RunRow } from '../../store/schema/run.ts'
import type { PreferenceRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { parseJson, parseObject } from '../base/parse-json.ts'
import type { PreferenceLayer, PreferenceSources } from '../decision/preference.ts'
import type { Schedule } from '../timing/schedule.ts'

/** The choices that say who may be reached, and when. */
export interface LoadedPreferences {
  /** The layers of preferences. */
  readonly layers: PreferenceSources
  /** The recipient's schedule. */
  readonly schedule: Schedule | undefined
}

/**
 * Returns the preferences that hold for a run now.
 *
 * @param db - The session.
 * @param run - The run.
 */
export async function loadPreferences(db: Session, run: RunRow): Promise<LoadedPreferences> {
  const workflow = await db
    .selectFrom('workflows')
    .select(['preferences', 'userPreferences'])
    .where('id', '=', run.workflowId)
    .executeTakeFirst()
  const contextKey = (parseJson(run.contextKeys) as readonly string[]).toSorted().join(',')
  const rows = await db
    .selectFrom('preferences')
    .selectAll()
    .where('subscriberId', '=', run.subscriberId)
    .where('workflowId', 'in', ['', run.workflowId])
    .where('contextKey', 'in', contextKey === '' ? [''] : ['', contextKey])
    .execute()
  // What was chosen for the very context of the run wins over what was chosen for none.
  const find = (workflowId: string): PreferenceRow | undefined =>
    rows.find((row) => row.workflowId === workflowId && row.contextKey === contextKey) ??
    rows.find((row) => row.workflowId === workflowId)
  const global = find('')
  return {
    layers: {
      workflow: toLayer(workflow?.preferences ?? null),
      stored: toLayer(workflow?.userPreferences ?? null),
      tenant: await loadTenantLayer(db, run),
      subscriber: toChosen(global),
      subscriberWorkflow: toChosen(find(run.workflowId)),
    },
    schedule: global?.schedule == null ? undefined : (parseObject(global.schedule) as Schedule),
  }
}

function toLayer(text: string | null): PreferenceLayer | undefined {
  return text === null ? undefined : (parseObject(text) as PreferenceLayer)
}

function toChosen(row: PreferenceRow | undefined): PreferenceLayer | undefined {
  if (!row) return undefined
  const all = row.enabled === null ? undefined : { enabled: row.enabled === 1 }
  return { all, channels: toChannels(parseObject(row.channels)) }
}

function toChannels(chosen: object): Record<string, { readonly enabled: boolean }> {
  const known = Object.entries(chosen).filter(([, enabled]) => typeof enabled === 'boolean')
  return Object.fromEntries(known.map(([channel, enabled]) => [channel, { enabled }]))
}

async function loadTenantLayer(db: Session, { tenant, workflowId }: RunRow): Promise<PreferenceLayer | undefined> {
  const tenantId = tenant === null ? undefined : parseObject(tenant)['_id']
  if (typeof tenantId !== 'string') return undefined
  const row = await db
    .selectFrom('workflowOverrides')
    .select('preferenceSettings')
    .where('workflowId', '=', workflowId)
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
  return row && { channels: toChannels(parseObject(row.preferenceSettings)) }
}
