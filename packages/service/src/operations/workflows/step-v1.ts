import { type JsonObject, type StepType, stepTypes } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, jsonObject, namedFields, pathId } from '../../api/input.ts'
import { isControlOf } from '../../compose/step-outputs.ts'
import { isTemplateField, toControlValues } from './legacy-template.ts'
import type { StepBody } from './workflow-body.ts'

/** A step as API v1 receives it. */
export interface StepV1 {
  /** The identifier of the step in code and state. */
  readonly uuid?: string | undefined
  readonly stepId?: string | undefined
  readonly name?: string | undefined
  /** The type and content of the step. */
  readonly template: JsonObject & { readonly type: StepType }
}

const template = namedFields()
  .and(z.looseObject({ type: z.enum(stepTypes, `must be one of ${stepTypes.join(', ')}`) }))
  .superRefine((given, context) => {
    const unknownNames = Object.keys(given).filter((name) => !isTemplateField(given.type, name))
    if (unknownNames.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: unknownNames, input: given })
  })
const ignored = z.unknown().optional().describe('Ignored.')

/** The schema of the steps of a v1 workflow, in the format of requests and of responses. */
export const stepsV1Field: z.ZodType<readonly StepV1[]> = z
  .array(
    z.strictObject({
      uuid: pathId().optional(),
      stepId: pathId().optional(),
      name: filledText().optional(),
      template,
      metadata: jsonObject().optional().describe('The wait of a digest or delay.'),
      active: z.boolean().optional().describe('Must be true.'),
      shouldStopOnFail: z.boolean().optional().describe('Must be false.'),
      filters: z.array(jsonObject()).optional().describe('Must be empty.'),
      variants: z.array(jsonObject()).optional().describe('Must be empty.'),
      replyCallback: jsonObject().optional().describe('Must be inactive.'),
      ...{ _id: ignored, _templateId: ignored, _parentId: ignored },
    }),
  )
  .max(100, 'must have at most 100 steps')

/**
 * Converts a v1 step to v2: its content becomes control values.
 *
 * @param place - The path of the step, for errors.
 * @param stored - The stored control values of the workflow's steps, by step id. Values for editors of API v2 are kept.
 * @throws {ApiError} 422 for settings that would be lost when the step runs.
 */
export function toStepBody(
  { uuid, stepId, name, template: { type, ...content }, ...rest }: StepV1,
  place: string,
  stored: ReadonlyMap<string, JsonObject> = new Map(),
): StepBody {
  const id = stepId ?? uuid
  const before = Object.entries((id !== undefined && stored.get(id)) || {})
  const ofEditors = Object.fromEntries(before.filter(([control]) => !isControlOf(type, control)))
  return {
    ...(id === undefined ? {} : { stepId: id }),
    name: name ?? id ?? type,
    type,
    controlValues: { ...ofEditors, ...toControlValues({ type, content, rest, place }) },
  }
}
