import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from './world.fixture.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: object
}
interface Described {
  readonly tags: readonly string[]
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, DescribedResponse | { readonly $ref: string }>>
}

interface DescribedResponse {
  readonly headers?: object
}

interface NamedSchema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, object>>
}

let world: World
let document: {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, NamedSchema>>
    readonly responses: Readonly<Record<string, DescribedResponse>>
  }
}
let served: readonly { readonly line: string; readonly path: string; readonly described: Described }[]

beforeAll(async () => {
  world = await startWorld()
  document = (await (await fetch(`${world.service.url}/openapi.json`)).json()) as typeof document
  served = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({
      line: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
      path,
      described,
    })),
  )
})
afterAll(() => world.stop())

test('the description is OpenAPI 3.1 with unique names, every path parameter, and resolved references', () => {
  expect(document.openapi).toBe('3.1.0')
  const names = served.map(({ described }) => described.operationId)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { path, described } of served) {
    const inPath = described.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
  const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  expect(new Set(shapes).size).toBe(shapes.length)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, reference = '']) => reference,
  )
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((value, name) => Reflect.get(value as object, name), document)
    expect(target, reference).toBeDefined()
  }
})

test('declares the errors of the specification for every operation', () => {
  const statuses = ['400', '401', '403', '404', '405', '409', '413', '414', '415', '422', '429', '500', '503']
  for (const { line, described } of served)
    expect(Object.keys(described.responses), line).toEqual(expect.arrayContaining(statuses))
})

test('declares the headers of every response', () => {
  const names = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']
  for (const { line, described } of served)
    for (const [status, response] of Object.entries(described.responses)) {
      const { headers = {} } = resolve(response)
      const declared = Object.keys(headers)
      if (status === '414') expect(declared, line).toEqual([])
      else expect(declared, `${line} ${status}`).toEqual(expect.arrayContaining([...names, 'Idempotency-Replay']))
      expect(declared.includes('Retry-After'), `${line} ${status}`).toBe(['409', '429', '503'].includes(status))
    }
})

/** Operations refer to the responses that they share. */
function resolve(response: DescribedResponse | { readonly $ref: string }): DescribedResponse {
  if (!('$ref' in response)) return response
  return document.components.responses[response.$ref.replace('#/components/responses/', '')] ?? {}
}

test('describes each error once, and stays small', () => {
  const ownErrors = served.flatMap(({ line, described }) =>
    Object.entries(described.responses).flatMap(([status, response]) =>
      status >= '400' && !('$ref' in response) ? [`${line} ${status}`] : [],
    ),
  )
  // These reject with only a message.
  expect(ownErrors.length).toBeLessThan(10)
  expect(JSON.stringify(document).length).toBeLessThan(1_000_000)
})

test('describes both responses of an operation that creates or updates', () => {
  const responses = served.find(({ line }) => line === 'POST /v2/topics')?.described.responses ?? {}
  expect(responses).toMatchObject({ 200: { content: {} }, 201: { content: {} } })
})

test('declares numbers, booleans and objects with their types and defaults', () => {
  const numbers = ['page', 'pageSize', 'limit', 'offset', 'days']
  const flags = ['includeCursor', 'failIfExists', 'read', 'seen', 'archived', 'snoozed']
  const inQuery = served.flatMap(({ described, line }) =>
    described.parameters.filter((each) => each.in === 'query').map((each) => ({ ...each, line })),
  )
  for (const { name, line, schema } of inQuery) {
    const type = numbers.includes(name) ? 'integer' : flags.includes(name) ? 'boolean' : undefined
    if (type) expect(schema, `${line} ${name}`).toMatchObject({ type })
    expect(JSON.stringify(schema), `${line} ${name}`).not.toMatch(/"true"|\\d\{1,15\}/)
  }
  const topics = inQuery.filter(({ line }) => line === 'GET /v1/topics').map(({ name, schema }) => [name, schema])
  expect(topics).toEqual([
    ['page', { type: 'integer', minimum: 0, maximum: expect.any(Number), default: 0 }],
    ['pageSize', { type: 'integer', minimum: 1, maximum: 10, default: 10 }],
    ['key', { type: 'string', maxLength: 500 }],
  ])
  const { TriggerBody, TriggerOverrides } = document.components.schemas
  expect(TriggerBody?.properties?.['payload']).toMatchObject({ type: 'object' })
  expect(TriggerOverrides).toMatchObject({ type: 'object' })
})

test('describes the response of every operation, in the group of its name', () => {
  const groups = (document as unknown as { readonly tags: readonly { readonly name: string }[] }).tags.map(
    ({ name }) => name,
  )
  const silent = served.filter(({ described }) => {
    const [, success] = Object.entries(described.responses).find(([status]) => status.startsWith('2')) ?? []
    const { content } = success as { readonly content?: Readonly<Record<string, { readonly schema: object }>> }
    return content && Object.values(content).some(({ schema }) => Object.keys(schema).length === 0)
  })
  // Slack defines the response to its requests.
  expect(silent.map(({ described }) => described.operationId)).toEqual(['agents.slack'])
  for (const { described } of served) expect(groups).toEqual(expect.arrayContaining([...described.tags]))
})

test('names and describes its schemas', () => {
  const { schemas } = document.components
  const wanted = ['Subscriber', 'Topic', 'Workflow', 'Message', 'Notification', 'TriggerBody', 'NewSubscriber']
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(wanted))
  const ofErrors = ['ErrorDto', 'ValidationErrorDto']
  const silent = Object.entries(schemas).filter(([, { description }]) => !description)
  expect(silent.map(([name]) => name).filter((name) => !ofErrors.includes(name))).toEqual([])
})
