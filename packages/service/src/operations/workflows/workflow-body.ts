import { type JsonObject, type StepType, stepTypes } from '@trestle/protocol'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { byChannel } from '../../api/by-channel.ts'
import { filledText, jsonObject, pathId, text } from '../../api/input.ts'
import { named } from '../../resources/named.ts'

/** A step as a caller sends it. */
export interface StepBody {
  /** Its row id, to keep a step whose name or identifier changes. */
  readonly _id?: string | undefined
  /** The identifier of the step in code and state. @default that of the step to keep, or derived from the name */
  readonly stepId?: string | undefined
  readonly name: string
  readonly type: StepType
  /** Control values. Stored values are kept if omitted. */
  readonly controlValues?: JsonObject | null | undefined
  readonly providerOverrides?: JsonObject | null | undefined
}

const step: z.ZodType<StepBody> = named(
  'StepInput',
  'A step to store.',
  z.strictObject({
    _id: filledText(100).optional().describe('The row id of a step to keep.'),
    stepId: pathId().optional().describe('Its identifier within the workflow.'),
    name: filledText().describe('The display name.'),
    type: z.enum(stepTypes, `must be one of ${stepTypes.join(', ')}`).describe('The type.'),
    controlValues: jsonObject().nullish().describe('The values of the controls.'),
    providerOverrides: jsonObject().nullish().describe('Request fields for individual providers.'),
  }),
)

/** The schema of the steps of a workflow. */
export const stepsField: z.ZodType<readonly StepBody[]> = z.array(step).max(100, 'must have at most 100 steps')

const layer = named(
  'PreferenceLayer',
  'Whether messages of a workflow are sent, globally and by channel.',
  z.strictObject({
    all: z
      .strictObject({
        enabled: z.boolean().optional().describe('Whether messages are sent.'),
        readOnly: z.boolean().optional().describe('Whether subscribers cannot change this.'),
      })
      .optional()
      .describe('For all channels.'),
    channels: byChannel(z.strictObject({ enabled: z.boolean().optional() }))
      .optional()
      .describe('By channel.'),
  }),
)

export interface PreferencesBody {
  /** Preferences of the environment, which have priority. */
  readonly user?: JsonObject | null | undefined
  /** Preferences of the workflow. */
  readonly workflow?: JsonObject | null | undefined
}

/** The schema of {@link PreferencesBody}. */
export const preferencesField: z.ZodType<PreferencesBody> = z.strictObject({
  user: layer.nullish().describe('Preferences of the environment, which have priority.'),
  workflow: layer.nullish().describe('Preferences of the workflow.'),
})

export interface WorkflowBody {
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Texts to find it by. */
  readonly tags?: readonly string[] | undefined
  /** Whether triggers start runs. */
  readonly active?: boolean | undefined
  /** Whether trigger payloads are validated. */
  readonly validatePayload?: boolean | undefined
  readonly payloadSchema?: JsonObject | null | undefined
  /** Whether its texts are translated. */
  readonly isTranslationEnabled?: boolean | undefined
}

/** The schemas of {@link WorkflowBody}, to spread into the schema of a body. */
export const workflowFields: { readonly [K in keyof Required<WorkflowBody>]: z.ZodType<WorkflowBody[K]> } = {
  name: filledText().optional().describe('The display name.'),
  description: text(1000).optional().describe('The purpose.'),
  tags: z.array(text(100)).max(50).optional().describe('Tags.'),
  active: z.boolean().optional().describe('Whether it is active.'),
  validatePayload: z.boolean().optional().describe('Whether payloads are validated against the schema.'),
  payloadSchema: jsonObject().nullish().describe('The JSON schema of the payload.'),
  isTranslationEnabled: z.boolean().optional().describe('A mark without effect: every `{{ t.key }}` is translated.'),
}

/**
 * Returns the identifiers of steps: given ones, or lowercase names with a number if not unique.
 *
 * @throws {ApiError} 422 if two steps have the same identifier or row id.
 */
export function nameSteps(steps: readonly StepBody[]): readonly string[] {
  const taken = takeOnce(steps, 'stepId')
  takeOnce(steps, '_id')
  return steps.map(({ stepId, name }) => {
    if (stepId !== undefined) return stepId
    const base =
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || 'step'
    let next = base
    for (let number = 2; taken.has(next); number++) next = `${base}-${number}`
    taken.add(next)
    return next
  })
}

function takeOnce(steps: readonly StepBody[], field: '_id' | 'stepId'): Set<string> {
  const taken = new Set<string>()
  for (const { [field]: id } of steps) {
    if (id === undefined) continue
    if (taken.has(id)) throw invalid('steps', `contain the ${field} ${JSON.stringify(id)} twice`)
    taken.add(id)
  }
  return taken
}
