import type { WorkflowManifest } from '@trestle/protocol'
import { toObjects } from '../../json/json.ts'
import { createId } from '../../store/create-id.ts'
import type { StoredStep, WorkflowGroupRow, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { type KeptWorkflow, keepChoices, loadKept, removeKept } from './kept-choices.ts'
import { isLearned } from './learn-steps.ts'
import { toStoredStep } from './stored-step.ts'

/** Options for storing the workflows of a bridge. */
export interface WorkflowTime {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
  /** Whether the bridge decides the next steps of a run; `undefined` leaves the stored value unchanged. */
  readonly isLed: boolean | undefined
  /** Ids of workflows that are kept although they are not listed, because the bridge failed to describe them. */
  readonly stay: ReadonlySet<string> | 'all'
}

/**
 * Replaces the workflows of a bridge. Settings in the service are kept, even while a workflow is not listed: whether it
 * is active, preferences, control values, overrides, and the row ids of workflows and steps.
 *
 * @param tx - The transaction.
 * @returns The rows, in the same order.
 */
export async function storeWorkflows(
  tx: Session,
  workflows: readonly WorkflowManifest[],
  at: WorkflowTime,
): Promise<readonly WorkflowRow[]> {
  const storedWorkflows = await tx
    .selectFrom('workflows')
    .selectAll()
    .where('environmentId', '=', at.environmentId)
    .execute()
  const kept = new Set(workflows.map(({ workflowId }) => workflowId))
  const gone = storedWorkflows.filter(
    ({ origin, identifier }) =>
      origin === 'external' && at.stay !== 'all' && !kept.has(identifier) && !at.stay.has(identifier),
  )
  for (const workflow of gone) await keepChoices(tx, workflow)
  await removeWorkflows(
    tx,
    gone.map(({ id }) => id),
  )
  const isLed = at.isLed ?? storedWorkflows.some(({ next }) => next === 1)
  const groups = await tx
    .selectFrom('workflowGroups')
    .select(['id', 'name'])
    .where('environmentId', '=', at.environmentId)
    .execute()
  const isKnown = new Set(storedWorkflows.map(({ identifier }) => identifier))
  const unknown = workflows.map(({ workflowId }) => workflowId).filter((id) => !isKnown.has(id))
  const absent = await loadKept(tx, at.environmentId, unknown)
  const rows: WorkflowRow[] = []
  for (const manifest of workflows) {
    const before = storedWorkflows.find(({ identifier }) => identifier === manifest.workflowId)
    const back = before ? undefined : absent.get(manifest.workflowId)
    const row = toRow(manifest, before ?? back, { ...at, isLed, groups })
    await (before
      ? tx.updateTable('workflows').set(row).where('id', '=', row.id).execute()
      : tx.insertInto('workflows').values(row).execute())
    if (back) await removeKept(tx, back)
    if (row.manifest !== before?.manifest) await storeWarnings(tx, { row, manifest, nowMs: at.nowMs })
    rows.push(row)
  }
  return rows
}

async function removeWorkflows(tx: Session, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('workflowWarnings').where('workflowId', 'in', ids).execute()
  await tx.deleteFrom('workflows').where('id', 'in', ids).execute()
}

function toRow(
  manifest: WorkflowManifest,
  before: KeptWorkflow | undefined,
  {
    environmentId,
    nowMs,
    isLed,
    groups,
  }: WorkflowTime & { readonly isLed: boolean; readonly groups: readonly Pick<WorkflowGroupRow, 'id' | 'name'>[] },
): WorkflowRow {
  const group = groups.find(({ id }) => id === before?.groupId) ?? groups.find(({ name }) => name === 'General')
  const { workflowId, name, description, tags, severity, preferences, payload, cancelOn } =
    manifest as Partial<WorkflowManifest>
  return {
    id: before?.id ?? createId(nowMs),
    environmentId,
    identifier: workflowId ?? '',
    name: name ?? workflowId ?? '',
    description: description ?? '',
    origin: 'external',
    active: before?.active ?? 1,
    draft: 0,
    critical: before?.critical ?? 0,
    severity: severity ?? 'none',
    tags: JSON.stringify(tags ?? []),
    groupId: group?.id ?? null,
    payloadSchema: payload?.schema == null ? null : JSON.stringify(payload.schema),
    validatePayload: before?.validatePayload ?? 0,
    preferences: JSON.stringify(preferences ?? {}),
    userPreferences: before?.userPreferences ?? null,
    cancelOn: cancelOn == null || cancelOn.length === 0 ? null : JSON.stringify(cancelOn),
    steps: JSON.stringify(toSteps(manifest, before, nowMs)),
    manifest: JSON.stringify(manifest),
    next: isLed ? 1 : 0,
    extra: before?.extra ?? '{}',
    lastTriggeredAt: before?.lastTriggeredAt ?? null,
    createdAt: before?.createdAt ?? nowMs,
    updatedAt: nowMs,
  }
}

/** Returns the listed steps, and learned steps if the list may be incomplete. */
function toSteps({ steps, complete }: WorkflowManifest, before: KeptWorkflow | undefined, nowMs: number) {
  const stored = before ? (JSON.parse(before.steps) as readonly StoredStep[]) : []
  const listed = steps.map((step) => {
    const storedStep = stored.find(({ stepId }) => stepId === step.stepId)
    return toStoredStep(step, storedStep, nowMs)
  })
  const ids = new Set(listed.map(({ stepId }) => stepId))
  const learned = complete === true ? [] : stored.filter((step) => isLearned(step) && !ids.has(step.stepId))
  return [...listed, ...learned]
}

interface Warned {
  readonly row: WorkflowRow
  readonly manifest: WorkflowManifest
  readonly nowMs: number
}

/** Replaces the warnings of a changed workflow, because its runs' warnings describe the previous version. */
async function storeWarnings(tx: Session, { row, manifest, nowMs }: Warned): Promise<void> {
  await tx.deleteFrom('workflowWarnings').where('workflowId', '=', row.id).execute()
  const warnings = new Map<string, readonly string[]>()
  const given = (manifest as { readonly warnings?: unknown }).warnings
  for (const { code, message } of toObjects(given))
    if (typeof code === 'string') warnings.set(code, [...(warnings.get(code) ?? []), String(message)])
  for (const [code, messages] of warnings)
    await tx
      .insertInto('workflowWarnings')
      .values({
        id: createId(nowMs),
        environmentId: row.environmentId,
        workflowId: row.id,
        code,
        stepId: '',
        message: messages.join('\n'),
        count: messages.length,
        createdAt: nowMs,
        updatedAt: nowMs,
      })
      .execute()
}
