import type { JsonObject } from '@trestle/protocol'
import { invalid } from '../../api/api-error.ts'
import { takeUpId } from '../../bridge/workflows/kept-choices.ts'
import { findRuleFault } from '../../compose/skip-rule.ts'
import type { CallContext } from '../../context/service-context.ts'
import { storeStepControls } from '../../controls/step-controls.ts'
import { checkStepFeeds } from '../../feeds/feed-choice.ts'
import { toObject } from '../../json/json.ts'
import { findSchemaFault } from '../../schemas/check-payload.ts'
import { blankWorkflow } from '../../store/blank-rows.ts'
import { createId } from '../../store/create-id.ts'
import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { nameSteps, type PreferencesBody, type StepBody, type WorkflowBody } from './workflow-body.ts'
import { loadControls, stepsOf } from './workflow-view.ts'

/** The fields of a workflow that a caller may set. Omitted fields keep their values. */
export interface WorkflowChange extends WorkflowBody {
  /** The complete list of steps. */
  readonly steps?: readonly StepBody[] | undefined
  readonly preferences?: PreferencesBody | undefined
  readonly severity?: string | undefined
  /** Whether subscribers cannot disable it. */
  readonly critical?: boolean | undefined
  readonly draft?: boolean | undefined
  /** Row id of the workflow group. */
  readonly groupId?: string | undefined
  /** Other fields to keep. */
  readonly extra?: JsonObject | undefined
}

/** Returns the row of a new workflow with only a name and an identifier. */
export function emptyWorkflow({ environment, clock }: CallContext, name: string, identifier: string): WorkflowRow {
  const nowMs = clock.now()
  const named = { id: createId(nowMs), environmentId: environment.id, identifier, name, origin: 'api' } as const
  return { ...blankWorkflow, ...named, createdAt: nowMs, updatedAt: nowMs }
}

/**
 * Saves a workflow with the provided fields, and returns its row. Call `checkPayloadSchema` for a new payload schema
 * first: it may take longer than a transaction should.
 *
 * @throws {ApiError} 422 for an invalid rule, or a feed that does not exist.
 */
export async function storeWorkflow(
  tx: Session,
  before: WorkflowRow,
  {
    change,
    nowMs,
    isNew = false,
  }: { readonly change: WorkflowChange; readonly nowMs: number; readonly isNew?: boolean },
): Promise<WorkflowRow> {
  checkRules(change.steps ?? [])
  await checkStepFeeds(tx, before.environmentId, change.steps ?? [])
  const steps = change.steps && toSteps(change.steps, stepsOf(before), nowMs)
  const changed = { ...before, ...apply(before, change) }
  const row: WorkflowRow = {
    ...changed,
    id: isNew ? await takeUpId(tx, changed) : before.id,
    steps: steps ? JSON.stringify(steps) : before.steps,
    updatedAt: nowMs,
  }
  if (isNew) await tx.insertInto('workflows').values(row).execute()
  else await tx.updateTable('workflows').set(row).where('id', '=', row.id).execute()
  if (steps) await storeControls(tx, row, { steps, before: stepsOf(before), bodies: change.steps ?? [], nowMs })
  return row
}

/**
 * Reports rules that would fail in every run to their author. The bridge evaluates code steps, including their
 * controls.
 */
function checkRules(steps: readonly StepBody[]): void {
  for (const [index, { type, controlValues }] of steps.entries()) {
    const fault = type === 'custom' ? undefined : findRuleFault(controlValues?.['skip'])
    if (fault !== undefined) throw invalid(`steps.${index}.controlValues.skip`, `is not a valid rule: ${fault}`)
  }
}

/**
 * Checks a new payload schema.
 *
 * @throws {ApiError} 422 if payloads cannot be validated against it.
 */
export async function checkPayloadSchema(
  { environment }: Pick<CallContext, 'environment'>,
  schema: JsonObject | null | undefined,
): Promise<void> {
  const fault = schema ? await findSchemaFault({ schema: JSON.stringify(schema), owner: environment.id }) : undefined
  if (fault !== undefined)
    throw invalid('payloadSchema', `is not a schema that payloads can be validated against: ${fault}`)
}

function apply(before: WorkflowRow, change: WorkflowChange): Partial<WorkflowRow> {
  const { name, description, tags, active, validatePayload, payloadSchema, preferences, severity } = change
  const { critical, draft, groupId, extra, isTranslationEnabled } = change
  const further = { ...extra, ...(isTranslationEnabled === undefined ? {} : { isTranslationEnabled }) }
  return {
    name: name ?? before.name,
    description: description ?? before.description,
    tags: tags ? JSON.stringify(tags) : before.tags,
    active: toFlag(active, before.active),
    critical: toFlag(critical, before.critical),
    draft: toFlag(draft, before.draft),
    validatePayload: toFlag(validatePayload, before.validatePayload),
    payloadSchema: orBefore(payloadSchema, before.payloadSchema),
    severity: severity ?? before.severity,
    groupId: groupId ?? before.groupId,
    preferences: orBefore(preferences?.workflow, before.preferences) ?? '{}',
    userPreferences: orBefore(preferences?.user, before.userPreferences),
    extra: JSON.stringify({ ...toObject(JSON.parse(before.extra)), ...further }),
  }
}

const toFlag = (value: boolean | undefined, before: 0 | 1): 0 | 1 => (value === undefined ? before : value ? 1 : 0)

const orBefore = (value: JsonObject | null | undefined, before: string | null): string | null =>
  value === undefined ? before : value === null ? null : JSON.stringify(value)

function toSteps(bodies: readonly StepBody[], before: readonly StoredStep[], nowMs: number): readonly StoredStep[] {
  const byId = new Map(before.map((step) => [step.id, step]))
  const claimed = new Set(bodies.map(({ _id }) => _id))
  const names = nameSteps(bodies.map((body) => ({ ...body, stepId: body.stepId ?? byId.get(body._id ?? '')?.stepId })))
  return bodies.map(({ _id, name, type, providerOverrides }, index) => {
    const stepId = names[index] ?? name
    const existingStep =
      _id === undefined ? before.find((step) => step.stepId === stepId && !claimed.has(step.id)) : byId.get(_id)
    const overrides = providerOverrides === undefined ? {} : { providerOverrides: providerOverrides ?? undefined }
    return {
      id: existingStep?.id ?? createId(nowMs),
      stepId,
      name,
      type,
      controlSchema: existingStep?.controlSchema ?? {},
      conditional: existingStep?.conditional ?? false,
      parallelGroup: existingStep?.parallelGroup ?? null,
      extra: { ...existingStep?.extra, ...overrides },
    }
  })
}

interface Controls {
  readonly steps: readonly StoredStep[]
  readonly before: readonly StoredStep[]
  readonly bodies: readonly StepBody[]
  readonly nowMs: number
}

/** A step with a new identifier keeps its values, also if another step had this identifier before. */
async function storeControls(tx: Session, row: WorkflowRow, { steps, before, bodies, nowMs }: Controls): Promise<void> {
  const stored = await loadControls(tx, row)
  const formerOf = new Map(before.map(({ id, stepId }) => [id, stepId]))
  const unchanged = steps.filter(({ id, stepId }) => formerOf.get(id) === stepId).map(({ stepId }) => stepId)
  let gone = tx.deleteFrom('stepControls').where('workflowId', '=', row.id)
  if (unchanged.length > 0) gone = gone.where('stepId', 'not in', unchanged)
  await gone.execute()
  for (const [index, { id, stepId }] of steps.entries()) {
    const given = bodies[index]?.controlValues
    const kept = unchanged.includes(stepId) ? undefined : stored.get(formerOf.get(id) ?? '')
    const controls = given === undefined ? kept : (given ?? {})
    if (controls) await storeStepControls(tx, row, { stepId, controls, nowMs })
  }
}
