import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { askBridge } from '../../call-bridge.fixture.ts'
import { createBridge } from '../../http/create-bridge.ts'
import { type WorkflowDefinition, workflow } from '../../workflow/workflow.ts'
import { compareWords } from './compare-words.ts'

describe('steps that are called at one place', () => {
  it.each([
    ['email', 'sms', "for (const k of ['email', 'sms'])"],
    ['send-email', 'send-sms', "for (const k of ['email', 'sms']) step(`send-${k}`)"],
    ['b', 'a', "for (const k of ['b', 'a'])"],
    ['urgent: mail', 'urgent: text', '{ mail: 1, text: 2 }'],
    ['to-push', 'to-sms', "const sms = (id) => step.sms(id); for (const k of ['push', 'sms']) sms(`to-${k}`)"],
    ['sms-2', 'sms-10', ''],
    ['day2-sms', 'day10-sms', "'sms'"],
    ['größe-ä', 'größe-ö', "['ä', 'ö']"],
  ])('come in the order of what tells them apart: %s, then %s', (first, second, source) => {
    const compare = compareWords(source)
    expect(compare(first, second)).toBeLessThan(0)
    expect(compare(second, first)).toBeGreaterThan(0)
  })

  it.each([
    ['a', 'b', "['a']"],
    ['a', 'a b', "['b', 'a']"],
    ['a-b', 'b-a', "['a', 'b']"],
    ['a', 'b', ''],
    ['a1', 'a1', "['a1']"],
    ['no', 'yes', 'now, yesterday'],
  ])('are not ordered where nothing is known: %s and %s', (first, second, source) => {
    expect(compareWords(source)(first, second)).toBe(0)
  })

  it('are listed in the order of their loop, so that asking in that order reaches each', async () => {
    const names = fc.shuffledSubarray(['email', 'sms', 'push', 'chat', 'inbox'], { minLength: 2 })
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom('', 'send-', 'Send to '), async (list, prefix) => {
        const run = new Function(`return async ({ step, payload }) => {
          for (const name of ${JSON.stringify(list)})
            if (payload.on.includes(name)) await step.sms(${JSON.stringify(prefix)} + name, () => ({ body: 'x' }))
          await step.sms('last', () => ({ body: 'x' }))
        }`)() as WorkflowDefinition['run']
        const bridge = createBridge({
          workflows: [workflow('w', run as never, { payloadSchema: z.object({ on: z.array(z.string()) }) })],
          strictAuthentication: false,
          logger: { warn: () => undefined, error: () => undefined },
        })
        const { body } = await askBridge(bridge, { action: 'discover' })
        const listed = body.workflows[0].steps.map(({ stepId }: { stepId: string }) => stepId)
        expect(listed).toEqual([...list.map((name) => prefix + name), 'last'])
      }),
      { numRuns: 30 },
    )
  })
})
