import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import type { Schema } from '../diff/schemas/plain-schema.ts'
import { accepts, schema, toDocument, value } from '../diff/schemas/schemas.fixture.ts'
import { schemaToType } from './schema-to-type.ts'

/** Returns a type with the definitions it needs. */
function typeOf(root: Schema, prefix: string): { type: string; definitions: string } {
  let count = 0
  const named = new Map<string, { name: string; text: string }>()
  const type = schemaToType(root, { root, named, createName: () => `${prefix}_${count++}` })
  return { type, definitions: [...named.values()].map(({ name, text }) => `type ${name} = ${text}`).join('\n') }
}

/** The compiler's library files, which are shared by all compilations. */
const libraries = new Map<string, ts.SourceFile>()

/** Returns the compiler errors for a text. */
function compile(text: string): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) => {
    if (name === 'case.ts') return ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true)
    const file = libraries.get(name) ?? read(name, ...rest)
    if (file) libraries.set(name, file)
    return file
  }
  const program = ts.createProgram(['case.ts'], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start = 0 }) => {
    const line = file ? text.split('\n')[file.getLineAndCharacterOfPosition(start).line] : ''
    return `${ts.flattenDiagnosticMessageText(messageText, ' ')} IN ${line}`
  })
}

/** Returns a value that a schema most likely accepts. */
function sample(one: Schema, root: Schema, depth = 0): unknown {
  if (typeof one === 'boolean' || depth > 6) return 'x'
  if ('const' in one) return one['const']
  if (Array.isArray(one['enum'])) return one['enum'][0]
  if (typeof one['$ref'] === 'string')
    return sample((root as { $defs: Record<string, Schema> }).$defs[one['$ref'].slice(8)] ?? true, root, depth + 1)
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(one[keyword])) return sample(one[keyword][0] as Schema, root, depth + 1)
  const type = [one['type']].flat()[0]
  if (type === 'object' || one['properties']) {
    const fields = Object.entries((one['properties'] ?? {}) as Record<string, Schema>).map(
      ([name, inner]) => [name, sample(inner, root, depth + 1)] as const,
    )
    const others = (Array.isArray(one['required']) ? one['required'] : []).map((name: string) => [name, 'x'] as const)
    return Object.fromEntries([...others, ...fields])
  }
  if (type === 'array')
    return (Array.isArray(one['prefixItems']) ? one['prefixItems'] : [one['items'] ?? true]).map((inner) =>
      sample(inner as Schema, root, depth + 1),
    )
  if (type === 'integer') return 2
  return type === 'number' ? 1.5 : type === 'boolean' ? true : type === 'null' ? null : 'x'
}

/**
 * Returns whether an object has only fields that the alternatives that accept it do not list. That is probably a mistake,
 * so the compiler may report it.
 */
function hasOnlyUnlisted(one: Schema, instance: unknown, root: Schema): boolean {
  if (typeof one === 'boolean' || typeof instance !== 'object' || instance === null) return false
  const $defs = (root as { readonly $defs?: unknown }).$defs
  const alternatives = [one['anyOf'], one['oneOf']].flatMap((list) => (list ?? []) as readonly Schema[])
  const fitting = alternatives.filter((inner) => typeof inner === 'object' && accepts({ ...inner, $defs }, instance))
  if (alternatives.length > 0) return fitting.every((inner) => hasOnlyUnlisted(inner, instance, root))
  const names = Object.keys(instance)
  return names.length > 0 && !names.some((name) => Object.hasOwn(one['properties'] ?? {}, name))
}

const toConst = (one: unknown): string => {
  const text = JSON.stringify(one).replaceAll('"__proto__":', '["__proto__"]:')
  return one === null ? text : `${text} as const`
}

describe('the type of a schema', () => {
  it('accepts every value that the schema accepts', () => {
    const lines: string[] = []
    const runs = draws(100, 2000)
    let typeCount = 0
    fc.assert(
      fc.property(
        schema.map((one) => withTypes(toDocument(one)) as Schema),
        fc.array(value, { minLength: 10, maxLength: 10 }),
        (one, values) => {
          const fit = [...values, sample(one, one)].filter(
            (instance) => accepts(one, instance) && !hasOnlyUnlisted(one, instance, one),
          )
          if (fit.length === 0) return
          const id = `T${typeCount++}`
          const { type, definitions } = typeOf(one, id)
          lines.push(definitions, `type ${id} = ${type}`)
          for (const [index, instance] of fit.slice(0, 4).entries())
            lines.push(`const ${id}_v${index} = ${toConst(instance)}; const ${id}_c${index}: ${id} = ${id}_v${index}`)
        },
      ),
      { numRuns: runs },
    )
    expect(typeCount).toBeGreaterThan(runs * 0.3)
    // Reported for nested objects with only unlisted fields.
    const said = compile(`export {}\n${lines.join('\n')}`).filter((one) => !one.includes('has no properties in common'))
    expect(said).toEqual([])
  })

  it.each<[string, Schema, string, readonly string[], readonly string[]]>([
    [
      'an order',
      { type: 'object', properties: { id: { type: 'string' }, count: { type: 'integer' } }, required: ['id'] },
      '',
      ['{ id: "7" }', '{ id: "7", count: 2 }'],
      ['{}', '{ id: 7 }', '{ id: "7", cuont: 2 }', '{ id: "7", count: undefined }'],
    ],
    ['a list', { type: 'array', items: { enum: ['a', 'b'] } }, '', ['[]', '["a", "b"]'], ['["c"]', '"a"']],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, '', ['{ a: 1 }'], ['{ a: "1" }']],
    [
      'a union',
      {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'a' }, x: { type: 'number' } }, required: ['kind', 'x'] },
          { type: 'null' },
        ],
      },
      '',
      ['{ kind: "a", x: 1 }', 'null'],
      ['{ kind: "b", x: 1 }', '{ kind: "a" }'],
    ],
    [
      'a tree',
      {
        $defs: {
          n: { type: 'object', properties: { n: { type: 'array', items: { $ref: '#/$defs/n' } } }, required: ['n'] },
        },
        $ref: '#/$defs/n',
      },
      '',
      ['{ n: [{ n: [] }] }'],
      ['{ n: [{}] }'],
    ],
    [
      'any JSON',
      {
        $defs: {
          j: {
            anyOf: [
              { type: ['string', 'number', 'null'] },
              { type: 'array', items: { $ref: '#/$defs/j' } },
              { type: 'object', additionalProperties: { $ref: '#/$defs/j' } },
            ],
          },
        },
        type: 'object',
        properties: { data: { $ref: '#/$defs/j' } },
        required: ['data'],
      },
      '',
      ['{ data: { a: [1, { b: null }] } }', '{ data: "x" }'],
      ['{ data: { a: [true] } }', '{}'],
    ],
    [
      'odd names',
      {
        type: 'object',
        properties: { 'a-b': { type: 'string' }, '2': { type: 'null' }, 'quote"': { const: 'a\u2028"' } },
        required: ['a-b'],
      },
      '',
      ['{ "a-b": "" }', '{ "a-b": "", 2: null, "quote\\"": "a\\u2028\\"" }'],
      ['{ ab: "" }'],
    ],
  ])(
    'of %s accepts valid values and rejects others',
    (_what, one, _no, good, bad) => {
      const { type, definitions } = typeOf(one, 'D')
      const head = `export {}\n${definitions}\ntype T = ${type}\n`
      for (const text of good) expect(compile(`${head}const v: T = ${text}`)).toEqual([])
      for (const text of bad) expect(compile(`${head}const v: T = ${text}`), text).not.toEqual([])
    },
    120_000,
  )
})

/** Adds `type: 'object'` to schemas with fields but no type, as the description of the command documents. */
function withTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withTypes)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, withTypes(inner)]))
  return 'properties' in node || Array.isArray((node as { required?: unknown }).required)
    ? { ...copy, type: 'object' }
    : copy
}
