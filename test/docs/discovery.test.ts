import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBridge, type Step, workflow } from '@trestle/core'
import { warningCodes } from '@trestle/protocol'
import { expect, test } from 'vitest'
import { root } from '../repository.ts'

const page = readFileSync(join(root, 'packages/core/README.md'), 'utf8')
const [, table = ''] = /^\| Code in the workflow function[^\n]*\n\|[-| ]+\n([\s\S]*?)\n\n/m.exec(page) ?? []
const rows = [...table.matchAll(/^\| `+(.+?)`+ +\| (.+?) +\|$/gm)].map(([, code = '', listed = '']) => ({
  code,
  stepIds: [...listed.matchAll(/`([^`]+)`/g)].map(([, id]) => id),
  isComplete: !listed.includes('may be incomplete'),
  isReached: !listed.includes('not reached'),
}))

test('the guide explains each warning code', () => {
  const [, warnings = ''] = /^\| Code +\| Meaning[^\n]*\n\|[-| ]+\n([\s\S]*?)\n\n/m.exec(page) ?? []
  const codes = [...warnings.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code)
  expect(codes.sort()).toEqual(Object.keys(warningCodes).sort())
})

const text = () => ({ body: 'Hi' })
const notify = async (step: Step): Promise<void> => void (await step.sms('notify', text))
const payloadSchema = {
  type: 'object',
  properties: {
    vip: { type: 'boolean' },
    total: { type: 'number' },
    status: { type: 'string' },
    kind: { enum: ['a', 'b'] },
    items: { type: 'array', items: { type: 'string' } },
    code: { type: 'string' },
  },
  required: ['vip', 'total', 'status', 'kind', 'items', 'code'],
} as const

/** Returns the workflow function that contains only the code of a row. */
const toRun = (code: string): (() => Promise<void>) =>
  new Function('text', 'notify', `return async ({ step, payload }) => {\n${code}\n}`)(text, notify)

test('has a row for each kind of code', () => expect(rows).toHaveLength(10))

test.each(rows)('lists the steps that the guide names: $code', async ({ code, stepIds, isComplete, isReached }) => {
  const example = workflow('example', toRun(code), { payloadSchema })
  const logger = { warn: () => {}, error: () => {} }
  const bridge = createBridge({ workflows: [example], strictAuthentication: false, logger })
  const { workflows } = await (await bridge.fetch(new Request('http://app/?action=discover'))).json()
  const [{ steps, complete }] = workflows
  expect(steps.map((step: { stepId: string }) => step.stepId)).toEqual(stepIds)
  expect(complete).toBe(isComplete)
  expect(steps.every((step: { reached?: boolean }) => step.reached !== false)).toBe(isReached)
})
