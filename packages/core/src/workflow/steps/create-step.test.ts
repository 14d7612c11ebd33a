import { stepTypes } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { checkStepCall, createStep } from './create-step.ts'
import type { StepCall } from './step-call.ts'
import { isShapedByOption, type StepKind, stepKinds } from './step-kinds.ts'

const kinds = Object.keys(stepKinds) as StepKind[]

describe('the kinds of step', () => {
  test.each(kinds)('include %s as a function of step, even if it is destructured', async (kind) => {
    const calls: StepCall[] = []
    const { [kind]: start } = createStep(async (call) => calls.push(call), {}) as unknown as Record<
      StepKind,
      (id: string, handler: () => unknown) => Promise<unknown>
    >
    const handler = (): unknown => ({})
    await start('s', handler)
    expect(calls).toEqual([{ kind, id: 's', handler, options: {} }])
  })

  test('are all functions of the object', () => {
    expect(Object.keys(createStep(async () => undefined, {})).sort()).toEqual([...kinds].sort())
  })

  test('have unique wire names, and none is missing', () => {
    expect(kinds.map((kind) => stepKinds[kind].type).sort()).toEqual([...stepTypes].sort())
  })
})

test.each(kinds)('allows an outputSchema only for steps without a fixed output: %s', (kind) => {
  const check = (): void =>
    checkStepCall({ kind, id: 's', handler: () => ({}), options: { outputSchema: { type: 'object' } } })
  if (isShapedByOption(kind)) expect(check).not.toThrow()
  else
    expect(check).toThrow(`Step "s": the option outputSchema is not allowed, because step.${kind} has a fixed output.`)
})
