import { isCodedError, type JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Schema } from '../schema/schema-types.ts'
import { createTemplateBudget, type TemplateLimits } from './plain/template-budget.ts'
import { resolveControls } from './resolve-controls.ts'

const empty: readonly unknown[] = []
const lists = Array.from({ length: 20_000 }, () => empty)
const payload = {
  lists,
  text: JSON.stringify(lists),
  few: [[1], [2]],
  fields: { a: [[]] },
}
const none = {}
const variables = { payload, subscriber: none, context: none, env: none, steps: none, workflow: none }
const rows = z.array(z.array(z.unknown()))
const schema = z.object({ all: z.array(rows), one: rows, object: z.looseObject({}), text: z.string() }).partial()

const resolve = async (given: JsonObject, limits?: Partial<TemplateLimits>): Promise<JsonObject> =>
  resolveControls({
    given,
    schema: compileSchema(schema as unknown as Schema),
    variables,
    budget: createTemplateBudget(limits),
  })

const failure = async (given: JsonObject, limits?: Partial<TemplateLimits>) => {
  const error: unknown = await resolve(given, limits).catch((thrown: unknown) => thrown)
  if (!isCodedError(error)) throw new Error('no coded error')
  return error
}

/** A plain template, and one for the engine. */
const templates = (name: string): readonly [string, string] => [`{{ payload.${name} }}`, `{{ payload["${name}"] }}`]

describe('the value of a single expression is limited', () => {
  test.each([...templates('lists'), ...templates('text')])('in all controls: %s', async (template) => {
    const all = Array.from({ length: 20 }, () => template)
    const { code, data, message } = await failure({ all }, { maxOutputLength: 500_000, maxValueLength: 200_000 })
    expect(code).toBe('StepControlCompilationFailedError')
    expect(message).toMatch(/output limit/)
    expect(data).toMatchObject({ path: expect.stringMatching(/^\/all\/\d+$/) })
  })

  test.each([...templates('lists'), ...templates('text')])(
    'but not by that of a text control: %s',
    async (template) => {
      expect((await resolve({ one: template }, { maxControlLength: 100 }))['one']).toHaveLength(lists.length)
    },
  )

  test.each(templates('text'))('as text, to the length of the output: %s', async (template) => {
    const { length } = payload.text
    expect((await resolve({ one: template }, { maxOutputLength: length }))['one']).toHaveLength(lists.length)
    expect((await failure({ one: template }, { maxOutputLength: length - 1 })).message).toMatch(/output limit/)
  })

  test.each(templates('few'))('as a list, to its size: %s', async (template) => {
    // The list counts 5.
    expect(await resolve({ one: template }, { maxValueLength: 5 })).toEqual({ one: [[1], [2]] })
    expect((await failure({ one: template }, { maxValueLength: 4 })).data).toMatchObject({ path: '/one' })
    expect((await failure({ all: [template, template] }, { maxValueLength: 9 })).data).toMatchObject({ path: '/all/1' })
  })

  test.each(templates('fields'))('with the names of its fields: %s', async (template) => {
    expect(await resolve({ object: template }, { maxValueLength: 4 })).toEqual({ object: { a: [[]] } })
    expect((await failure({ object: template }, { maxValueLength: 3 })).data).toMatchObject({ path: '/object' })
  })

  test('text that contains only the value of a smaller list is still converted', async () => {
    expect(await resolve({ one: '{{ payload.few | json }}' })).toEqual({ one: [[1], [2]] })
  })
})
