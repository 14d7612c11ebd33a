import { isCodedError } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { createTemplateBudget } from './plain/template-budget.ts'
import { resolveControls } from './resolve-controls.ts'

const runs = draws(500, 50_000)
const pieces = [
  ...['{{', '}}', '{%', '%}', '{{ payload.v }}', '{{ payload.w.x | upcase }}', '{% if payload.v %}', '{% endif %}'],
  ...['{% assign payload = 1 %}', '{% comment %}', '{% endcomment %}', '{% raw %}', '{{ t.key }}', '{{- payload -}}'],
  ...[
    '{% capture b %}',
    '{% endcapture %}',
    '{% increment payload %}',
    '"',
    "'",
    '\\',
    '\n',
    '\u0000',
    '<b>',
    '|',
    ' x ',
  ],
  ...[
    '{% for i in payload %}',
    '{{ i }}',
    '{% endfor %}',
    '{% liquid echo payload.v %}',
    '{% cycle "a", "b" %}',
    '$&',
    '😀',
  ],
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), { maxLength: 6 })
  .map((all) => all.join(''))
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2 },
    text,
    fc.constantFrom(null, true, false, 0, 1.5, -7),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('x', 'v', '__proto__', 'size', 'first')), tie('json'), { maxKeys: 3 }),
  ),
}))

function attempt(given: Record<string, unknown>, payload: unknown, schema?: object): Record<string, unknown> | string {
  const none = {}
  const variables = { payload, subscriber: none, context: none, env: none, steps: none, workflow: none }
  const compiled = compileSchema(schema as Parameters<typeof compileSchema>[0])
  try {
    const resolved = resolveControls({ given, schema: compiled, variables, budget: createTemplateBudget() })
    if (resolved instanceof Promise) throw new Error('not synchronous')
    return resolved
  } catch (error) {
    if (!isCodedError(error)) throw error
    return error.code
  }
}

// Everything is rendered synchronously once the engine is loaded.
beforeAll(async () => {
  const schema = compileSchema(undefined)
  const none = {}
  const variables = { payload: none, subscriber: none, context: none, env: none, steps: none, workflow: none }
  await resolveControls({ given: { a: '{{- 1 -}}' }, schema, variables, budget: createTemplateBudget() })
})

test('a rendered value is never read as a template again', () => {
  fc.assert(
    fc.property(json, (v) => {
      expect(attempt({ a: '[{{ payload.v }}]' }, { v })).toEqual({ a: `[${toText(v)}]` })
    }),
    { numRuns: runs },
  )
})

test('a control never breaks another control', () => {
  fc.assert(
    fc.property(text, json, json, (first, v, other) => {
      const payload = { v, w: { x: other } }
      const alone = attempt({ first }, payload)
      const plain = { n: 5, b: true, no: null, list: [1, { x: 2 }], s: '{{ payload.v }}' }
      const both = attempt({ ...plain, first, last: '{{ payload.v }}' }, payload)
      if (typeof alone === 'string') expect(both).toBe(alone)
      else expect(both).toEqual({ ...plain, s: toText(v), first: alone['first'], last: toText(v) })
    }),
    { numRuns: runs },
  )
})

test('a control that is not a string never becomes one', () => {
  const schema = {
    type: 'object',
    properties: {
      number: { type: 'number' },
      boolean: { type: 'boolean' },
      list: { type: 'array' },
      object: { type: 'object' },
    },
  }
  const fits: Record<string, (value: unknown) => boolean> = {
    number: (value) => typeof value === 'number',
    boolean: (value) => typeof value === 'boolean',
    list: (value) => Array.isArray(value),
    object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  }
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(fits)), text, json, (key, control, v) => {
      for (const template of [control, '{{ payload.v }}', `${control}{{ payload.v }}`]) {
        const resolved = attempt({ [key]: template }, { v, w: { x: v } }, schema)
        if (typeof resolved === 'string')
          expect(resolved).toMatch(/^(ExecutionStateControlInvalid|StepControlCompilationFailed)Error$/)
        else if (key in resolved) expect(fits[key]?.(resolved[key])).toBe(true)
      }
    }),
    { numRuns: runs / 2 },
  )
})
