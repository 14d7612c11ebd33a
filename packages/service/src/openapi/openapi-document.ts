import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import type { Operation } from '../context/operation.ts'
import { errorReferences, errorResponses, errorSchemas, messageResponse } from './error-responses.ts'
import { type Example, examples } from './generated/examples.ts'
import { groups } from './groups.ts'
import { headerComponents, responseHeaders } from './response-headers.ts'

/** The described API version. @source service-api.md#versioning */
export const apiVersion = '3.17.1'

/**
 * Returns the OpenAPI 3.1 document for a list of operations.
 *
 * @param url - The URL of the API.
 */
export function toOpenApi(operations: readonly Operation[], url: string): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {}
  const schemas: Record<string, JsonObject> = {}
  for (const operation of operations) {
    // Paths must not differ only in parameter names.
    const path = Object.keys(paths).find((other) => toShape(other) === toShape(operation.path)) ?? operation.path
    const item = paths[path] ?? {}
    item[operation.method.toLowerCase()] = {
      ...toPathItem({ ...operation, path }, schemas),
      // Clients use the operation's parameter names.
      ...(path === operation.path ? {} : { 'x-path': operation.path }),
    }
    paths[path] = item
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Notification service', version: apiVersion },
    servers: [{ url }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    security: [{ secretKey: [] }],
    paths,
    components: {
      securitySchemes: {
        secretKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word ApiKey, a space, and the secret key of an environment.',
        },
        inboxSession: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a subscriber session, from POST /v1/inbox/session.',
        },
      },
      headers: headerComponents,
      responses: errorResponses,
      schemas: {
        ...schemas,
        ...errorSchemas,
      },
    },
  }
}

const toShape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')

/** The named schemas of a document, by name. */
type Schemas = Record<string, JsonObject>

function toPathItem(operation: Operation, schemas: Schemas): JsonObject {
  const { name, summary, body, status = 200, also = {}, category, open, form, forSubscriber } = operation
  const success = successContent(operation, status, schemas)
  const { request } = exampleOf(name)
  const mediaType = form ? 'multipart/form-data' : 'application/json'
  return {
    operationId: name,
    summary,
    tags: [name.split('.')[0]],
    ...(open ? { security: [] } : {}),
    ...(forSubscriber ? { security: [{ inboxSession: [] }] } : {}),
    'x-rate-limit-category': forSubscriber ? 'subscriber' : category,
    ...(operation.splits ? { 'x-splits': operation.splits } : {}),
    ...(operation.mayRedirect ? { 'x-may-redirect': true } : {}),
    parameters: [
      ...pathParameters(operation, schemas),
      ...queryParameters(operation, schemas),
      ...headerParameters(operation),
      idempotencyKey,
    ],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: {
              [mediaType]: {
                schema: toSchema(body, 'input', schemas),
                ...(request !== undefined && { example: request }),
              },
            },
          },
        }
      : {}),
    responses: {
      [status]: { description: 'Success', ...responseHeaders(`${status}`), ...success },
      ...Object.fromEntries(
        Object.entries(also).map(([code, description]) => [
          code,
          { description, ...responseHeaders(code), ...success },
        ]),
      ),
      ...errorReferences,
      ...(operation.refusal ? { 400: messageResponse } : {}),
    },
  }
}

const idempotencyKey: JsonObject = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
}

function pathParameters({ path, params }: Operation, schemas: Schemas): readonly JsonObject[] {
  const { properties } = fieldsOf(params, schemas)
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }))
}

function queryParameters({ query }: Operation, schemas: Schemas): readonly JsonObject[] {
  const { properties, required } = fieldsOf(query, schemas)
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }))
}

interface Fields {
  readonly properties: Readonly<Record<string, JsonObject>>
  readonly required: readonly string[]
}

function fieldsOf(schema: z.ZodType | undefined, schemas: Schemas): Fields {
  return { properties: {}, required: [], ...(schema && toSchema(schema, 'input', schemas)) }
}

function headerParameters({ headers = {} }: Operation): readonly JsonObject[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
}

const exampleOf = (operation: string): Example => (Object.hasOwn(examples, operation) ? examples[operation] : {}) ?? {}

function successContent({ name, output, wrapped, isText }: Operation, status: number, schemas: Schemas): JsonObject {
  if (status === 204) return {}
  if (!output) return { content: { 'text/event-stream': { schema: { type: 'string' } } } }
  const result = toSchema(output, 'output', schemas)
  const schema = wrapped ? { type: 'object', required: ['data'], properties: { data: result } } : result
  const { response } = exampleOf(name)
  const mediaType = isText ? 'text/plain' : 'application/json'
  return { content: { [mediaType]: { schema, ...(response !== undefined && { example: response }) } } }
}

/** Returns a schema; its named parts are added to the named schemas. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Schemas): JsonObject {
  const described = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    // New fields may be added to responses, but not to requests.
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  const text = JSON.stringify(described).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _, $defs = {}, ...rest } = JSON.parse(text) as JsonObject & { readonly $defs?: Schemas }
  for (const [name, one] of Object.entries($defs)) {
    const existingSchema = schemas[name]
    if (existingSchema && JSON.stringify(existingSchema) !== JSON.stringify(one))
      throw new TypeError(
        `Two schemas have the name ${name}, or its requests differ from its answers. Use different names.`,
      )
    schemas[name] = one
  }
  return rest
}
