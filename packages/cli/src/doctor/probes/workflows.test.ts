import { BridgeClientError } from '@trestle/bridge-client'
import { expect, test } from 'vitest'
import type { ProbeContext } from '../base/probe.ts'
import { steps } from './workflows.ts'

/** A bridge with 100 workflows of two message steps and one custom step. */
function createContext(preview: (stepId: string, number: number) => void) {
  const previewed: string[] = []
  const workflows = Array.from({ length: 100 }, (_, index) => ({
    workflowId: `w${index}`,
    steps: ['mail', 'text', 'store'].map((stepId) => ({ stepId, type: stepId === 'store' ? 'custom' : 'sms' })),
  }))
  const client = {
    async preview({ workflowId, stepId }: { workflowId: string; stepId: string }) {
      previewed.push(`${workflowId}/${stepId}`)
      preview(stepId, previewed.length)
    },
  }
  const context = { client, reply: { workflows }, signal: new AbortController().signal } as unknown as ProbeContext
  return { context, previewed }
}

test('previews every step, however many there are', async () => {
  const { context, previewed } = createContext((_stepId, number) => {
    if (number === 200) throw new BridgeClientError('StepExecutionFailedError', 'It failed.', { status: 500 })
  })
  expect(await steps.run(context)).toMatchObject([{ workflowId: 'w99', stepId: 'text', message: 'It failed.' }])
  expect(new Set(previewed).size).toBe(200)
})

test('stops after a timeout, and reports how many steps were not previewed', async () => {
  const { context, previewed } = createContext((_stepId, number) => {
    if (number === 3) throw new BridgeClientError('BridgeRequestTimeout', 'It took too long.', { status: 408 })
  })
  expect(await steps.run(context)).toMatchObject([
    { code: 'BridgeRequestTimeout', workflowId: 'w1', message: 'It took too long. Steps not previewed: 197.' },
  ])
  expect(previewed).toHaveLength(3)
})
