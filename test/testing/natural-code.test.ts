import { type WorkflowDefinition, workflow } from '@trestle/core'
import { testBridge } from '@trestle/testing'
import { describe, expect, test } from 'vitest'
import { natural } from './natural-programs.ts'

describe('natural code runs all of its steps, and no other', () => {
  test.each(natural)('%s', async (_name, run, payload, steps) => {
    const tested = workflow('natural', run as never) as WorkflowDefinition
    const bridge = testBridge({ workflows: [tested], logger: { warn: () => undefined, error: () => undefined } })
    const report = await bridge.run('natural', { payload: payload as never })
    const ran = Object.values(report.steps).filter(({ status }) => status === 'completed')
    expect([report.status, ran.map(({ stepId }) => stepId).toSorted()]).toEqual(['completed', steps.toSorted()])
  })
})
