import { describe, expect, it } from 'vitest'
import { toPlainSchema } from './plain-schema.ts'

describe('a schema as plain data', () => {
  it('loses the markers of a library', () => {
    expect(toPlainSchema({ '~kind': 'String', type: 'string', [Symbol('kind')]: 1 })).toEqual({ type: 'string' })
  })

  it('keeps properties and data whose names start like such a marker', () => {
    const schema = {
      type: 'object',
      properties: { '~': { '~kind': 'x', type: 'string' } },
      default: { '~': { '~deep': 1 } },
    }
    expect(toPlainSchema(schema)).toEqual({
      type: 'object',
      properties: { '~': { type: 'string' } },
      default: { '~': { '~deep': 1 } },
    })
  })
})
