import type { PreferenceLayer, PreferenceSources, Schedule } from '@trestle/run-rules'
import type { RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { parseJson, parseObject } from '../base/parse-json.ts'
import { type Choices, mergePreferences } from '../decision/merge-preferences.ts'

/** The preferences that decide whether and when a recipient is reached. */
export interface LoadedPreferences {
  /** The layers of preferences. */
  readonly layers: PreferenceSources
  readonly schedule: Schedule | undefined
}

/** Blocks all messages of a deleted workflow, because its preferences are unknown. */
const blocked: LoadedPreferences = {
  layers: { workflow: { all: { enabled: false, readOnly: true } } },
  schedule: undefined,
}

/** Returns the current preferences for a run. Messages of a deleted workflow are blocked. */
export async function loadPreferences(db: Session, run: RunRow): Promise<LoadedPreferences> {
  const workflow = await findWorkflow(db, run)
  if (!workflow) return blocked
  const contextKey = (parseJson(run.contextKeys) as readonly string[]).toSorted().join(',')
  const rows = await db
    .selectFrom('preferences')
    .selectAll()
    .where('subscriberId', '=', run.subscriberId)
    .where('workflowId', 'in', ['', workflow.id])
    .where('contextKey', 'in', contextKey === '' ? [''] : ['', contextKey])
    .execute()
  const find = (workflowId: string): Choices | undefined => {
    const [general, own] = ['', contextKey].map((key) =>
      rows.find((row) => row.workflowId === workflowId && row.contextKey === key),
    )
    return mergePreferences(general, own)
  }
  const global = find('')
  return {
    layers: {
      workflow: toLayer(workflow.preferences),
      stored: toLayer(workflow.userPreferences),
      tenant: await loadTenantLayer(db, run),
      subscriber: toChoiceLayer(global),
      subscriberWorkflow: toChoiceLayer(find(workflow.id)),
    },
    schedule: global?.schedule == null ? undefined : (parseObject(global.schedule) as Schedule),
  }
}

/** Returns the run's workflow, or the one that was recreated with its identifier. */
async function findWorkflow(db: Session, { workflowId, environmentId, workflowIdentifier }: RunRow) {
  const rows = await db
    .selectFrom('workflows')
    .select(['id', 'preferences', 'userPreferences'])
    .where('environmentId', '=', environmentId)
    .where(({ or, eb }) => or([eb('id', '=', workflowId), eb('identifier', '=', workflowIdentifier)]))
    .execute()
  return rows.find(({ id }) => id === workflowId) ?? rows[0]
}

function toLayer(text: string | null): PreferenceLayer | undefined {
  return text === null ? undefined : (parseObject(text) as PreferenceLayer)
}

function toChoiceLayer(row: Choices | undefined): PreferenceLayer | undefined {
  if (!row) return undefined
  const all = row.enabled === null ? undefined : { enabled: row.enabled === 1 }
  return { all, channels: toChannels(parseObject(row.channels)) }
}

function toChannels(channels: object): Record<string, { readonly enabled: boolean }> {
  const switches = Object.entries(channels).filter(([, enabled]) => typeof enabled === 'boolean')
  return Object.fromEntries(switches.map(([channel, enabled]) => [channel, { enabled }]))
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
