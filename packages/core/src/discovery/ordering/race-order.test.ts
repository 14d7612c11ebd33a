import { expect, it } from 'vitest'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'

// In a race next to other branches, steps that only the loser reaches come after the loser, in any order of branches.
it('places steps that follow a lost race after the step that the race waits for', async () => {
  const raced = workflow(
    'raced',
    async ({ step, payload }) => {
      await Promise.all([
        (async () => {
          if (payload.first) await step.sms('first', () => ({ body: '' }))
          await step.sms('second', () => ({ body: '' }))
        })(),
        (async () => {
          const answer = step.sms('answer', () => ({ body: '' })).then(() => 'answer')
          const timeout = step.delay('timeout', () => ({ amount: 1, unit: 'hours' })).then(() => 'timeout')
          const winner = await Promise.race([answer, timeout])
          await (winner === 'answer'
            ? step.sms('thanks', () => ({ body: '' }))
            : step.sms('reminder', () => ({ body: '' })))
        })(),
        step.sms('beside', () => ({ body: '' })),
      ])
    },
    { payloadSchema: { type: 'object', properties: { first: { type: 'boolean' } }, required: ['first'] } },
  )
  const { body } = await ask(raced, { action: 'discover' })
  const listed = body.workflows[0].steps.map(({ stepId }: { stepId: string }) => stepId)
  expect(listed.indexOf('reminder')).toBeGreaterThan(listed.indexOf('timeout'))
  expect(listed.indexOf('thanks')).toBeGreaterThan(listed.indexOf('answer'))
  expect(listed).toHaveLength(7)
})

it('lists the steps of a race in call order next to a branch that starts with a condition', async () => {
  const text = (): { body: string } => ({ body: '' })
  const raced = workflow(
    'raced',
    async ({ step, payload }) => {
      await Promise.all([
        (async () => {
          await step.sms('before', text)
          const answer = step.sms('answer', text).then(() => 'answer')
          const timeout = step.delay('timeout', () => ({ amount: 1, unit: 'hours' })).then(() => 'timeout')
          const winner = await Promise.race([answer, timeout])
          await step.sms(winner === 'answer' ? 'thanks' : 'reminder', text)
        })(),
        (async () => {
          if (payload.first) await step.sms('first', text)
          await step.sms('second', text)
        })(),
      ])
    },
    { payloadSchema: { type: 'object', properties: { first: { type: 'boolean' } }, required: ['first'] } },
  )
  const { body } = await ask(raced, { action: 'discover' })
  const listed = body.workflows[0].steps.map(({ stepId }: { stepId: string }) => stepId)
  expect(listed.indexOf('timeout')).toBeGreaterThan(listed.indexOf('answer'))
  expect(listed.indexOf('second')).toBeGreaterThan(listed.indexOf('first'))
})
