import { workflow } from '@trestle/core'
import { expect, test } from 'vitest'
import { testBridge } from '../simulator/test-bridge.ts'

const greeting = workflow('greeting', async ({ step, subscriber }) => {
  if (subscriber.locale === 'de') await step.sms('german', () => ({ body: 'Hallo' }))
  else await step.sms('other', () => ({ body: 'Hello' }))
})

test('finds the same literals in the source text as in production', async () => {
  const run = await testBridge({ workflows: [greeting] }).run(greeting, {
    subscriber: { subscriberId: 'ada', locale: 'de' },
  })
  expect(run.steps['german']?.status).toBe('completed')
})
