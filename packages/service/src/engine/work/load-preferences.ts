import type { PreferenceLayer, PreferenceSources, Schedule } from '@trestle/run-rules'
import { createQueryKey, elementsOf, runPrepared } from '../../store/prepared.ts'
import type { RunRow } from '../../store/schema/run.ts'
import type { PreferenceRow } from '../../store/schema/subscriber.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import { hasOneOf } from '../../store/shared/row-list.ts'
import { createSharedStatement } from '../../store/shared/shared-statement.ts'
import type { Session } from '../../store/store.ts'
import { parseJson, parseObject } from '../base/parse-json.ts'
import { type Choices, mergePreferences } from '../decision/merge-preferences.ts'

const workflowsOfRunsQuery = createQueryKey('workflows of runs')
const preferencesOfSubscribersQuery = createQueryKey('preferences of subscribers')

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
  const rows = await findChoices(db, { subscriberId: run.subscriberId, workflowId: workflow.id, contextKey })
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

type RunWorkflow = Pick<WorkflowRow, 'id' | 'environmentId' | 'identifier' | 'preferences' | 'userPreferences'>

/** Returns the run's workflow, or the one that was recreated with its identifier. */
const findWorkflow = createSharedStatement<RunRow, RunWorkflow | undefined>({
  async run(db, runs) {
    const environments = toList(runs.map((run) => run.environmentId))
    const ids = toList(runs.map((run) => run.workflowId))
    const identifiers = toList(runs.map((run) => run.workflowIdentifier))
    const { rows } = await runPrepared(db, {
      key: workflowsOfRunsQuery,
      values: [environments, ids, identifiers],
      build: () =>
        db
          .selectFrom('workflows')
          .select(['id', 'environmentId', 'identifier', 'preferences', 'userPreferences'])
          .where('environmentId', 'in', elementsOf(db, environments))
          .where(({ or, eb }) =>
            or([eb('id', 'in', elementsOf(db, ids)), eb('identifier', 'in', elementsOf(db, identifiers))]),
          ),
    })
    return runs.map(({ workflowId, environmentId, workflowIdentifier }) => {
      const own = rows.filter((row) => row.environmentId === environmentId)
      return own.find(({ id }) => id === workflowId) ?? own.find(({ identifier }) => identifier === workflowIdentifier)
    })
  },
})

type ChoiceKey = Pick<PreferenceRow, 'subscriberId' | 'workflowId' | 'contextKey'>

/** Returns the choices of a subscriber: general ones, and those for the workflow and the context. */
const findChoices = createSharedStatement<ChoiceKey, readonly PreferenceRow[]>({
  async run(db, keys) {
    const subscriberIds = keys.map(({ subscriberId }) => subscriberId)
    const { condition, value, form, isNamed } = hasOneOf(db, 'subscriberId', subscriberIds)
    const workflowIds = toList(['', ...keys.map(({ workflowId }) => workflowId)])
    const contextKeys = toList(['', ...keys.map(({ contextKey }) => contextKey)])
    const { rows } = await runPrepared(db, {
      key: preferencesOfSubscribersQuery,
      form,
      values: [value, workflowIds, contextKeys],
      isNamed,
      build: () =>
        db
          .selectFrom('preferences')
          .selectAll()
          .where(condition)
          .where('workflowId', 'in', elementsOf(db, workflowIds))
          .where('contextKey', 'in', elementsOf(db, contextKeys)),
    })
    return keys.map(({ subscriberId }) => rows.filter((row) => row.subscriberId === subscriberId))
  },
})

const toList = (values: readonly string[]): string => JSON.stringify([...new Set(values)])

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
