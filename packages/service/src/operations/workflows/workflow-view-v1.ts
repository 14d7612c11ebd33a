import type { JsonObject, StepType } from '@trestle/protocol'
import { isControlOf } from '../../compose/step-outputs.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact, toObject } from '../../json/json.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { loadControls, stepsOf } from './workflow-view.ts'

const channels = ['email', 'sms', 'in_app', 'chat', 'push'] as const

/** Returns a workflow as API v1 shows it. */
export async function toWorkflowV1(
  db: Session,
  { organizationId }: Pick<CallContext, 'organizationId'>,
  row: WorkflowRow,
): Promise<JsonObject> {
  const controls = await loadControls(db, row)
  const extra = toObject(JSON.parse(row.extra))
  return compact({
    _id: row.id,
    name: row.name,
    description: row.description ?? '',
    active: row.active === 1,
    draft: row.draft === 1,
    critical: row.critical === 1,
    preferenceSettings: toSettings(row),
    tags: JSON.parse(row.tags),
    steps: stepsOf(row).map((step) => ({
      _id: step.id,
      _templateId: step.id,
      uuid: step.stepId,
      stepId: step.stepId,
      name: step.name,
      active: true,
      filters: [],
      template: { _id: step.id, type: step.type, ...toTemplate(step.type, controls.get(step.stepId)) },
    })),
    triggers: [{ type: 'event', identifier: row.identifier, variables: [], subscriberVariables: [] }],
    payloadSchema: row.payloadSchema === null ? undefined : JSON.parse(row.payloadSchema),
    data: extra['data'],
    blueprintId: extra['blueprintId'],
    type: row.origin === 'external' ? 'BRIDGE' : 'REGULAR',
    origin: row.origin === 'external' ? 'external' : 'novu-cloud-v1',
    _organizationId: organizationId,
    _creatorId: organizationId,
    _environmentId: row.environmentId,
    _notificationGroupId: row.groupId ?? '',
    deleted: false,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  })
}

/** API v1 calls the body of a message its content, and has no values for editors. */
function toTemplate(type: StepType, controls: JsonObject = {}): JsonObject {
  const values = Object.fromEntries(Object.entries(controls).filter(([name]) => isControlOf(type, name)))
  return typeof values['body'] === 'string' ? { content: values['body'], ...values } : values
}

function toSettings(row: WorkflowRow): JsonObject {
  const layers = [row.preferences, row.userPreferences ?? '{}'].map((text) => toObject(JSON.parse(text)))
  const settings: Record<string, boolean> = {}
  for (const channel of channels) {
    settings[channel] = true
    for (const layer of layers) {
      const said = toObject(toObject(layer['channels'])[channel])['enabled'] ?? toObject(layer['all'])['enabled']
      if (typeof said === 'boolean') settings[channel] = said
    }
  }
  return settings
}
