import { expect, test } from 'vitest'
import { type CompiledStep, compileStep } from './compiled-step.ts'
import type { StepCall } from './step-call.ts'

test('are kept for a bounded number of steps, because ids can be made of data', () => {
  const kept = new Map<string, CompiledStep>()
  const call = (id: string) => ({ id, kind: 'custom', handler: () => ({}), options: {} }) as unknown as StepCall
  const first = compileStep(kept, call('load-0'))
  expect(compileStep(kept, call('load-0'))).toBe(first)
  for (let index = 0; index < 5000; index++) compileStep(kept, call(`load-${index}`))
  expect(kept.size).toBe(1000)
  expect(kept.has('load-4999')).toBe(true)
})
