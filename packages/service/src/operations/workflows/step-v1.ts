import { type JsonObject, type StepType, stepTypes } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, namedFields, pathId } from '../../api/input.ts'
import { toControlValues } from './legacy-template.ts'
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

/** The schema of the steps of a v1 workflow. Other fields of a step are kept. */
export const stepsV1Field: z.ZodType<readonly StepV1[]> = z
  .array(
    namedFields().and(
      z.looseObject({
        uuid: pathId().optional(),
        stepId: pathId().optional(),
        name: filledText().optional(),
        template: namedFields().and(
          z.looseObject({ type: z.enum(stepTypes, `must be one of ${stepTypes.join(', ')}`) }),
        ),
      }),
    ),
  )
  .max(100, 'must have at most 100 steps')

/**
 * Converts a v1 step to v2: its content becomes control values.
 *
 * @param place - The path of the step, for errors.
 * @throws {ApiError} 422 for settings that would be lost when the step runs.
 */
export function toStepBody({ uuid, stepId, name, template, ...rest }: StepV1, place: string): StepBody {
  const { type, ...content } = template
  const id = stepId ?? uuid
  return {
    ...(id === undefined ? {} : { stepId: id }),
    name: name ?? id ?? type,
    type,
    controlValues: toControlValues({ type, content, rest, place }),
  }
}
