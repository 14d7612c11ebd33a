import type { JsonObject } from '@trestle/protocol'
import { notFound } from '../../api/api-error.ts'
import type { Blueprint } from '../../blueprints/blueprint.ts'
import { blueprints } from '../../blueprints/blueprints.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { blueprint, blueprintGroups } from '../../resources/workflows/blueprint.ts'

const common = { category: 'global', wrapped: false } as const

export const blueprintOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'blueprints.listByCategory',
    access: 'view',
    method: 'GET',
    path: '/v1/blueprints/group-by-category',
    summary: 'Returns the blueprints by group, and the popular ones',
    output: blueprintGroups,
    handler: async (context) => {
      const groups = [...new Set(blueprints.map((one) => one.group))]
      const toGroup = (name: string, chosen: readonly Blueprint[]) => ({
        name,
        blueprints: chosen.map((one) => show(one, context)),
      })
      return {
        general: groups.map((name) =>
          toGroup(
            name,
            blueprints.filter((one) => one.group === name),
          ),
        ),
        popular: toGroup(
          'Popular',
          blueprints.filter(({ isPopular }) => isPopular),
        ),
      }
    },
  }),
  operation({
    ...common,
    name: 'blueprints.get',
    access: 'view',
    method: 'GET',
    path: '/v1/blueprints/{blueprintId}',
    summary: 'Returns a blueprint by its id or identifier',
    output: blueprint,
    async handler(context, { params }) {
      const { blueprintId = '' } = params
      const matchingBlueprint = blueprints.find(
        ({ id, identifier }) => id === blueprintId || identifier === blueprintId,
      )
      if (!matchingBlueprint) throw notFound('Blueprint', blueprintId)
      return show(matchingBlueprint, context)
    },
  }),
])

/** Returns a blueprint as a workflow of API v1. */
function show(one: Blueprint, { organizationId, environment }: CallContext): JsonObject {
  const variables = Object.keys(one.payloadSchema['properties'] ?? {}).map((name) => ({ name, type: 'String' }))
  return {
    _id: one.id,
    name: one.name,
    description: one.description,
    active: false,
    draft: true,
    critical: one.critical,
    isBlueprint: true,
    blueprintId: one.id,
    tags: one.tags,
    preferenceSettings: { email: true, sms: true, in_app: true, chat: true, push: true },
    payloadSchema: one.payloadSchema,
    steps: one.steps.map(({ stepId, name, type, controlValues }, index) => ({
      _id: `${one.id.slice(0, -2)}${(index + 16).toString(16)}`,
      stepId,
      name,
      type,
      active: true,
      filters: [],
      template: { type, name },
      controlValues,
    })),
    triggers: [{ type: 'event', identifier: one.identifier, variables, subscriberVariables: [] }],
    notificationGroup: { name: one.group },
    _organizationId: organizationId,
    _environmentId: environment.id,
    _creatorId: organizationId,
    _notificationGroupId: '',
    deleted: false,
  }
}
