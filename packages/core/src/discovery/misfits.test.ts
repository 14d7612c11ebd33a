import { expect, it } from 'vitest'
import { ask } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'

const listOf = async (
  field: object,
  samples?: readonly { payload: { code: string } }[],
): Promise<readonly string[]> => {
  const coded = workflow(
    'coded',
    async ({ step, payload }) => void (payload.code.length > 0 && (await step.sms('text', () => ({ body: 'x' })))),
    {
      payloadSchema: {
        type: 'object',
        properties: { code: { type: 'string', pattern: '^ORD-\\d{6}$', ...field } },
        required: ['code'],
      } as const,
      ...(samples && { samples }),
    },
  )
  const { body } = await ask(coded, { action: 'discover' })
  return (body.workflows[0].warnings ?? []).map(({ code, message }: Record<string, string>) => `${code}: ${message}`)
}

it('warns of a pattern that no sample data fits, and says how to help', async () => {
  expect(await listOf({})).toEqual([
    expect.stringMatching(/^SampleDoesNotFit: Workflow "coded": .*"payload\/code".* Add an example .*samples: \[/),
  ])
})

it.each<[string, object, { payload: { code: string } }[]?]>([
  ['an example', { examples: ['ORD-123456'] }],
  ['a default', { default: 'ORD-123456' }],
  ['a sample of the developer', {}, [{ payload: { code: 'ORD-123456' } }]],
  ['a name that happens to fit', { pattern: '^[a-z]+$' }],
])('does not warn if there is %s', async (_name, field, samples) => {
  expect(await listOf(field, samples)).toEqual([])
})
