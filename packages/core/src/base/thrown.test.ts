import { expect, test } from 'vitest'
import { z } from 'zod'
import { processorMs } from '../../../../test/processor-time.ts'
import { ask } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'
import { withoutPaths } from './thrown.ts'

test('a message ends with exactly one full stop', async () => {
  const schema = z.object({ id: z.string().refine(() => false, 'It is not an order.') })
  const failing = workflow('w', async ({ step }) => {
    await step.custom('s', () => ({ id: 'x' }), { outputSchema: schema })
  })
  const throwing = workflow('w', async () => {
    throw new Error('No stock.')
  })
  const payload = workflow('w', async ({ step }) => void (await step.sms('s', () => ({ body: '' }))), {
    payloadSchema: schema,
  })
  const replies = [
    await ask(failing, { step: 's' }),
    await ask(throwing, { action: 'discover' }),
    await ask(payload, { step: 's', payload: { id: 'x' } }),
  ]
  for (const { status, body } of replies) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body.message).toMatch(/(not an order|No stock)\./)
    expect(body.message).not.toMatch(/\.\.|[^.!?]$/)
  }
})

test.each([
  ['at process.processTicksAndRejections (node:internal/process/task_queues:95:5)', undefined],
  ['at listOnTimeout (node:internal/timers:581:17)', undefined],
  ['at async node:internal/modules/esm/loader:1:2', undefined],
  ['at async send (file:///srv/my-app/src/send.ts:12:3)', 'at async send (send.ts:12:3)'],
  ['at send (C:\\app\\src\\send.js:12:3)', 'at send (send.js:12:3)'],
  ['at /srv/app/send.js:12:3', 'at send.js:12:3'],
  [
    'at eval (eval at run (/srv/app/run.js:1:2), <anonymous>:1:1)',
    'at eval (eval at run (run.js:1:2), <anonymous>:1:1)',
  ],
  ['at run (/home/ada/My Projects (old)/app/index.js:12:3)', 'at run (index.js:12:3)'],
  ['at C:\\Users\\Ada Lovelace\\app\\index.js:12:3', 'at index.js:12:3'],
  ['at async Promise.all (index 0)', undefined],
  ['at http://localhost:5173/src/send.js:12:3', 'at send.js:12:3'],
])('removes folders from a frame, except from modules of Node: %s', (frame, expected = frame) => {
  expect(withoutPaths(`Error: no\n    ${frame}`)).toBe(`Error: no\n    ${expected}`)
})

test.each(['/a', 'a/', 'node:/', 'file:///a', 'C:\\', ':1', ' /a'])(
  'takes time in proportion to the length of a line that repeats %j',
  (part) => {
    const beforeMs = processorMs()
    for (const start of ['    at ', '']) withoutPaths(start + part.repeat(200_000))
    expect(processorMs() - beforeMs).toBeLessThan(2000)
  },
)
