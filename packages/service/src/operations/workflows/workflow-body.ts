import { type JsonObject, type StepType, stepTypes } from '@trestle/protocol'
import { z } from 'zod'
import { invalid } from '../../api/api-error.ts'
import { byChannel } from '../../api/by-channel.ts'
import { filledText, jsonObject, pathId, text } from '../../api/input.ts'
import { named } from '../../resources/named.ts'

/** A step as a caller describes it. */
export interface StepBody {
  /** Its row id, to keep a step that is renamed. */
  readonly _id?: string | undefined
  /** The identifier that code and state know it by. @default made of the name */
  readonly stepId?: string | undefined
  /** Its name. */
  readonly name: string
  /** The kind. */
  readonly type: StepType
  /** Control values; those stored stay where it is left out. */
  readonly controlValues?: JsonObject | null | undefined
  /** Overrides for providers. */
  readonly providerOverrides?: JsonObject | null | undefined
}

const step: z.ZodType<StepBody> = named(
  'StepInput',
  'A step to store.',
  z.strictObject({
    _id: filledText(100).optional().describe("The service's id, of a step that is kept."),
    stepId: pathId().optional().describe('Its identifier within the workflow.'),
    name: filledText().describe('Name for people.'),
    type: z.enum(stepTypes, `must be one of ${stepTypes.join(', ')}`).describe('The type.'),
    controlValues: jsonObject().nullish().describe('The values of the controls.'),
    providerOverrides: jsonObject().nullish().describe('What is sent to single providers instead.'),
  }),
)

/** The schema of the steps of a workflow. */
export const stepsField: z.ZodType<readonly StepBody[]> = z.array(step).max(100, 'must have at most 100 steps')

const layer = named(
  'PreferenceLayer',
  'Whether messages of a workflow are sent, for all channels and for single ones.',
  z.strictObject({
    all: z
      .strictObject({
        enabled: z.boolean().optional().describe('Whether messages are sent.'),
        readOnly: z.boolean().optional().describe('Whether subscribers cannot change that.'),
      })
      .optional()
      .describe('For all channels.'),
    channels: byChannel(z.strictObject({ enabled: z.boolean().optional() }))
      .optional()
      .describe('By channel.'),
  }),
)

/** Preferences as a caller sends them. */
export interface PreferencesBody {
  /** Those of the environment's operators, which win. */
  readonly user?: JsonObject | null | undefined
  /** Those of the workflow itself. */
  readonly workflow?: JsonObject | null | undefined
}

/** The schema of {@link PreferencesBody}. */
export const preferencesField: z.ZodType<PreferencesBody> = z.strictObject({
  user: layer.nullish().describe('Those of the environment, which win.'),
  workflow: layer.nullish().describe('Those of the workflow itself.'),
})

/** The fields of a workflow that callers send. */
export interface WorkflowBody {
  /** Its name. */
  readonly name?: string | undefined
  /** Its purpose. */
  readonly description?: string | undefined
  /** Texts to find it by. */
  readonly tags?: readonly string[] | undefined
  /** Whether triggers start runs. */
  readonly active?: boolean | undefined
  /** Whether triggers' payloads are checked. */
  readonly validatePayload?: boolean | undefined
  /** JSON Schema of the payload. */
  readonly payloadSchema?: JsonObject | null | undefined
  /** Whether its texts are translated. */
  readonly isTranslationEnabled?: boolean | undefined
}

/** The schemas of {@link WorkflowBody}, to be spread into the schema of a body. */
export const workflowFields: { readonly [K in keyof Required<WorkflowBody>]: z.ZodType<WorkflowBody[K]> } = {
  name: filledText().optional().describe('Name for people.'),
  description: text(1000).optional().describe('The purpose, in words.'),
  tags: z.array(text(100)).max(50).optional().describe('Tags.'),
  active: z.boolean().optional().describe('Whether it runs.'),
  validatePayload: z.boolean().optional().describe('Whether payloads are checked against the schema.'),
  payloadSchema: jsonObject().nullish().describe('The JSON schema of the payload.'),
  isTranslationEnabled: z.boolean().optional().describe('Whether its texts are translated.'),
}

/**
 * Returns the identifiers of steps: those given, or the names in lower case, numbered where they are not unique.
 *
 * @throws {ApiError} 422 when two steps are given one identifier.
 */
export function nameSteps(steps: readonly StepBody[]): readonly string[] {
  const taken = new Set<string>()
  for (const { stepId } of steps) {
    if (stepId === undefined) continue
    if (taken.has(stepId)) throw invalid('steps', `have the stepId ${JSON.stringify(stepId)} twice`)
    taken.add(stepId)
  }
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
