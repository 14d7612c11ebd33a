import { expect, test } from 'vitest'
import { compileSchema } from '../schema/compile-schema.ts'
import { createTemplateBudget } from './plain/template-budget.ts'
import { resolveControls } from './resolve-controls.ts'

const none = {}
const variables = { payload: { a: 'x' }, subscriber: none, context: none, env: none, steps: none, workflow: none }
const schema = compileSchema(undefined)

test('renders plain templates synchronously and others after the engine has loaded, and counts each once', async () => {
  const [plain, other] = ['{{ payload.a }}!', '{{- payload.a | append: "y" -}}']
  const budget = createTemplateBudget({ maxTemplateLength: 2 * plain.length + other.length, maxOutputLength: 6 })
  expect(resolveControls({ given: { plain }, schema, variables, budget })).toEqual({ plain: 'x!' })
  const resolved = resolveControls({ given: { plain, other }, schema, variables, budget })
  expect(resolved).toBeInstanceOf(Promise)
  expect(await resolved).toEqual({ plain: 'x!', other: 'xy' })
  expect([budget.templateLength, budget.outputLength]).toEqual([0, 0])
})
