import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../workflow.ts'
import { checkId } from './check-id.ts'

const ids = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 255 })
  .filter((id) => id.length <= 255 && !/[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u.test(id))

describe('ids of workflows and steps', () => {
  test('can be any text, which discovery and execution use unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(ids, ids, async (workflowId, stepId) => {
        const flow = workflow(workflowId, async ({ step }) => {
          await step.custom(stepId, () => ({ said: stepId }))
        })
        const { body } = await ask([flow], { action: 'discover' })
        expect(body.workflows[0]).toMatchObject({ workflowId, steps: [{ stepId }] })
        const reply = await ask([flow], { workflow: workflowId, step: stepId })
        expect(reply.body.outputs).toEqual({ said: stepId })
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['nothing', ''],
    ['256 characters', 'x'.repeat(256)],
    ['a line break', 'a\nb'],
    ['NUL', 'a\0'],
    ['a control character of Latin 1', 'a\u0085'],
    ['an unpaired surrogate', 'a\ud800'],
    ['the other half', '\udc00a'],
    ['a number', 5],
    ['null', null],
  ])('must not be %s, and the error states the rule', (_name, id) => {
    expect(() => checkId('step', id)).toThrow(/^The id of a step must be a string of 1 to 255 characters/)
  })
})
