import { expect, test } from 'vitest'
import { type Condition, type Data, sidesOf } from './everyday.fixture.ts'

/** Data that nothing describes counts as true where it is absent: only `false` shows the other side. */
const conditions: readonly Condition[] = [
  ({ payload }) => payload.notify ?? true,
  ({ payload: { notify = true } }) => notify,
  ({ payload }) => {
    const { settings: { notify = true } = {} } = payload
    return notify
  },
  async ({ step }) => {
    const { ok = true } = await step.custom('ask', () => ({}))
    return ok
  },
  async ({ step }) => {
    const { ok: isFine = true, ...rest }: Data = await step.custom('ask', () => ({}))
    return isFine || rest.isForced === true
  },
]

test.each(conditions.map((isMet) => [String(isMet), isMet] as const))(
  'both sides are found of %s',
  async (_source, isMet) => {
    expect(await sidesOf(isMet, {})).toEqual(expect.arrayContaining(['yes', 'no']))
  },
)

test('and of a minified default', async () => {
  const isMet: Condition = ({ payload }) => payload.notify ?? true
  const text = String(isMet).replace('true', '!0')
  isMet.toString = () => text
  expect(text).toContain('!0')
  expect(await sidesOf(isMet, {})).toEqual(expect.arrayContaining(['yes', 'no']))
})
