import type { JsonSchema } from '../../api/json-schema.ts'
import type { TemplateVariable } from '../../editor/template-completion.ts'
import { followReference, isSchema } from './follow-reference.ts'
import { typeText } from './type-text.ts'

/** The schemas of the values that a template can print. */
export interface TemplateSource {
  /** The schema of the payload. */
  readonly payload?: JsonSchema | undefined
  /** The steps before it, with the schemas of their results. */
  readonly steps?: readonly { readonly stepId: string; readonly results?: { readonly schema?: JsonSchema } }[]
}

const maxDepth = 4
const maxVariables = 300
/** Other names need brackets in a template. */
const name = /^[A-Za-z_][\w-]*$/

/** The fields of the subscriber in each template. */
const subscriberVariables: readonly TemplateVariable[] = [
  ...['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'].map((field) => ({
    path: `subscriber.${field}`,
    type: 'string',
  })),
  { path: 'subscriber.data', type: 'object' },
]

/** Returns the variables of a template: those of the payload, of the subscriber and of earlier steps. */
export function toTemplateVariables({ payload = {}, steps = [] }: TemplateSource): readonly TemplateVariable[] {
  return [
    ...list(payload, { root: payload, path: 'payload', depth: 0 }),
    ...subscriberVariables,
    ...steps.flatMap(({ stepId, results }) => {
      const root = results?.schema ?? {}
      return list(root, { root, path: `steps.${stepId}`, depth: 0 })
    }),
  ].slice(0, maxVariables)
}

interface Place {
  readonly root: JsonSchema
  readonly path: string
  readonly depth: number
}

function list(given: unknown, { root, path, depth }: Place): readonly TemplateVariable[] {
  const { properties } = followReference(given, root)
  if (!isSchema(properties) || depth === maxDepth) return []
  return Object.entries(properties)
    .filter(([key]) => name.test(key))
    .slice(0, maxVariables)
    .flatMap(([key, property]) => {
      const place = { root, path: `${path}.${key}`, depth: depth + 1 }
      return [{ path: place.path, type: typeText(property, root) }, ...list(property, place)]
    })
}
