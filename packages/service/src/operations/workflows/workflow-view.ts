import { isObject, type JsonObject, messageTypes } from '@trestle/protocol'
import { compact, toObject } from '../../json/json.ts'
import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

/** API names of workflow origins. */
const origins = { external: 'external', api: 'novu-cloud' } as const
const defaultPreferences: JsonObject = {
  all: { enabled: true, readOnly: false },
  channels: Object.fromEntries(messageTypes.map((channel) => [channel, { enabled: true }])),
}

/** Returns a workflow as API v2 shows it. */
export async function showWorkflow(db: Session, row: WorkflowRow): Promise<JsonObject> {
  const controls = await loadControls(db, row)
  const warnings = await db
    .selectFrom('workflowWarnings')
    .selectAll()
    .where('workflowId', '=', row.id)
    .orderBy('id')
    .execute()
  const schema: unknown = row.payloadSchema === null ? null : JSON.parse(row.payloadSchema)
  return compact({
    ...toListed(row),
    description: row.description ?? undefined,
    active: row.active === 1,
    severity: row.severity,
    validatePayload: row.validatePayload === 1,
    isTranslationEnabled: toObject(JSON.parse(row.extra))['isTranslationEnabled'] === true,
    payloadSchema: schema,
    preferences: {
      default: { ...defaultPreferences, ...toObject(JSON.parse(row.preferences)) },
      user: row.userPreferences === null ? null : { ...defaultPreferences, ...JSON.parse(row.userPreferences) },
    },
    steps: stepsOf(row).map((step) => toStep(row, step, controls.get(step.stepId) ?? {})),
    lastTriggeredAt: row.lastTriggeredAt === null ? null : new Date(row.lastTriggeredAt).toISOString(),
    payloadExample: null,
    warnings: warnings.map(({ code, stepId, message, count, updatedAt }) => ({
      code,
      ...(stepId === '' ? {} : { stepId }),
      message,
      count,
      updatedAt: new Date(updatedAt).toISOString(),
    })),
  })
}

/** Returns a workflow as lists of API v2 show it. */
export function toListed(row: WorkflowRow): JsonObject {
  const steps = stepsOf(row)
  return {
    _id: row.id,
    workflowId: row.identifier,
    slug: `${slugify(row.name)}_wf_${row.id}`,
    name: row.name,
    tags: JSON.parse(row.tags),
    status: row.active === 1 ? 'ACTIVE' : 'INACTIVE',
    origin: origins[row.origin],
    stepTypeOverviews: steps.map(({ type }) => type),
    steps: steps.map((step) => ({ slug: stepSlug(step), type: step.type, stepId: step.stepId, name: step.name })),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    lastTriggeredAt: row.lastTriggeredAt === null ? null : new Date(row.lastTriggeredAt).toISOString(),
  }
}

export function stepsOf({ steps }: Pick<WorkflowRow, 'steps'>): readonly StoredStep[] {
  return JSON.parse(steps) as readonly StoredStep[]
}

/** Returns the stored control values of a workflow's steps, by step. */
export async function loadControls(db: Session, { id }: Pick<WorkflowRow, 'id'>): Promise<Map<string, JsonObject>> {
  const rows = await db.selectFrom('stepControls').selectAll().where('workflowId', '=', id).execute()
  return new Map(rows.map(({ stepId, controls }) => [stepId, toObject(JSON.parse(controls))]))
}

/** Controls that clients expect in every step of a type. */
const expected: Readonly<Record<string, JsonObject>> = {
  email: { subject: '' },
  http_request: { method: 'GET', url: '' },
}

/**
 * Returns a step as API v2 shows it.
 *
 * @param controls - Its stored control values.
 */
export function toStep(workflow: WorkflowRow, step: StoredStep, controls: JsonObject): JsonObject {
  const { payloadSchema } = workflow
  const values = { ...expected[step.type], ...controls }
  return {
    _id: step.id,
    stepId: step.stepId,
    name: step.name,
    slug: stepSlug(step),
    type: step.type,
    origin: origins[workflow.origin],
    workflowId: workflow.identifier,
    workflowDatabaseId: workflow.id,
    controls: { dataSchema: step.controlSchema, uiSchema: {}, values },
    controlValues: values,
    variables: { type: 'object', properties: { payload: payloadSchema === null ? {} : JSON.parse(payloadSchema) } },
    conditional: step.conditional,
    parallelGroup: step.parallelGroup,
    ...(isObject(step.extra['providerOverrides']) ? { providerOverrides: step.extra['providerOverrides'] } : {}),
  }
}

const stepSlug = ({ name, id }: StoredStep): string => `${slugify(name)}_st_${id}`

const slugify = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'workflow'
