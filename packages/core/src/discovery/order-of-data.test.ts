import { expect, test } from 'vitest'
import { z } from 'zod'
import { discoverWhole } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'
import type { Data } from './samples/everyday.fixture.ts'

const table = ({ step }: Data): Record<string, () => Promise<unknown>> => ({
  mail: () => step.sms('mail', () => ({ body: 'x' })),
  text: () => step.sms('text', () => ({ body: 'x' })),
})
const strings = z.object({ channels: z.array(z.string()) })

test.each([
  [
    'a table',
    'const steps = { mail: 1, text: 1 }; for (const channel of payload.channels) await own[steps[channel] && channel]?.()',
  ],
  [
    'conditions',
    "for (const channel of payload.channels) { if (channel === 'mail') await own.mail(); else if (channel === 'text') await own.text() }",
  ],
  [
    'a switch',
    "for (const channel of payload.channels) switch (channel) { case 'mail': await own.mail(); break; case 'text': await own.text() }",
  ],
])('whoever lets a list of texts decide the order of steps is told: %s', async (_name, body) => {
  const loop = new Function('own', 'payload', `return (async () => { ${body} })()`)
  const run = (context: Data): Promise<void> => loop(table(context), context.payload)
  run.toString = () => body
  for (const options of [{}, { payloadSchema: strings }]) {
    const { body: told } = await discoverWhole(workflow('w', run, options))
    expect(told.workflows[0].warnings.map(({ code }: Data) => code)).toContain('StepOrderDependsOnData')
  }
})
