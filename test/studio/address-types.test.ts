import { expect, test } from 'vitest'
import { endpointChoices } from '../../packages/service/src/operations/connections/endpoint-types.ts'
import { addressTypes } from '../../packages/studio/src/pages/connections/address-fields.ts'

interface Choice {
  readonly properties: {
    readonly type: { readonly const: string }
    readonly endpoint: { readonly properties: object; readonly required?: readonly string[] }
  }
}

const choices = new Map(
  (endpointChoices as unknown as readonly Choice[]).map(({ properties: { type, endpoint } }) => [type.const, endpoint]),
)

test('the studio has a form for each type of channel endpoint', () => {
  expect(Object.keys(addressTypes).sort()).toEqual([...choices.keys()].sort())
})

test.each(Object.entries(addressTypes))('the form of %s has the fields that the service takes', (type, { fields }) => {
  const { properties = {}, required = [] } = choices.get(type) ?? {}
  expect(fields.map(({ name }) => name).sort()).toEqual(Object.keys(properties).sort())
  // A list always has a value.
  const filled = fields.filter((field) => field.required || (field.options && required.includes(field.name)))
  expect(filled.map(({ name }) => name).sort()).toEqual([...required].sort())
})
