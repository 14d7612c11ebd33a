import { type JsonObject, type StepType, stepTypes } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, namedFields, pathId } from '../../api/input.ts'
import { toControlValues } from './former-template.ts'
import type { StepBody } from './workflow-body.ts'

/** A step as the first version of the API takes it. */
export interface StepV1 {
  /** The identifier that code and state know it by. */
  readonly uuid?: string | undefined
  /** The same. */
  readonly stepId?: string | undefined
  /** Its name. */
  readonly name?: string | undefined
  /** Its kind and its content. */
  readonly template: JsonObject & { readonly type: StepType }
}

/** The schema of the steps of a workflow of the first version; other fields of a step are kept as they come. */
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
 * Returns the step as the second version takes it: its content is the step's control values.
 *
 * @param step - The step.
 * @param place - Where it stands, for errors.
 * @throws {ApiError} 422 for what would be left out when the step runs.
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
