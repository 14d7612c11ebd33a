import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../prepare.mjs'

const folder = join(root, 'packages/docs/api')
const assets = join(root, 'packages/docs/public')
const methods = ['get', 'post', 'put', 'patch', 'delete']
/** Headers that every operation accepts, which are described in the API rules. */
const commonParameters = ['idempotency-key']

/** Writes a page for each group of REST API operations, and `openapi.json`, from the service's own description. */
export async function writeApiPages() {
  const document = await readOpenApi()
  rmSync(folder, { recursive: true, force: true })
  for (const path of [folder, assets]) mkdirSync(path, { recursive: true })
  writeFileSync(join(assets, 'openapi.json'), JSON.stringify(document))
  const groups = toGroups(document)
  for (const group of groups) writeFileSync(join(folder, `${group.name}.md`), toPage(document, group))
  writeFileSync(join(folder, 'index.md'), toIndex(groups))
}

async function readOpenApi() {
  const load = (path) => import(pathToFileURL(join(root, 'packages/service/dist', path)).href)
  const { operations } = await load('operations/operations.js')
  const { toOpenApi } = await load('openapi/openapi-document.js')
  return toOpenApi(operations, 'https://notifications.example.com')
}

function toGroups({ paths, tags }) {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ path, method: method.toUpperCase(), ...item[method] })),
  )
  return tags
    .map(({ name, description }) => ({ name, description, operations: all.filter(({ tags: [tag] }) => tag === name) }))
    .filter(({ operations }) => operations.length > 0)
}

const toIndex = (groups) => `# API reference

The operations of the service's REST API, made from its OpenAPI description: <a href="../openapi.json" target="_self">openapi.json</a>.
[The rules of the API](../service-api.md) apply to all of them: keys, errors, idempotency, pages and rate limits.

| Group | Operations | |
| --- | --- | --- |
${groups.map(({ name, description, operations }) => `| [${name}](${name}.md) | ${operations.length} | ${toCell(description)} |`).join('\n')}
`

const toPage = (document, { name, description, operations }) => `# ${name}

${toProse(description)}

${operations.map((operation) => toSection(document, operation)).join('\n\n')}`

function toSection(document, operation) {
  const { operationId, method, path, summary, description, parameters = [], requestBody, responses } = operation
  const own = parameters.filter((one) => !commonParameters.includes(one.name))
  const sent = requestBody?.content?.['application/json']
  const body = sent?.schema
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const answer = success?.content?.['application/json']
  const result = answer?.schema
  const isText = Object.keys(success?.content ?? {}).some((type) => type.startsWith('text/'))
  return [
    `## ${operationId}`,
    toProse([summary, description].filter(Boolean).join(' ')),
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    table(
      'Parameters',
      own.map((one) => [one.name, one, `${one.in}${one.required ? ', required' : ''}`]),
      document,
    ),
    body && table('Body', fieldsOf(document, body), document),
    example(sent),
    result
      ? table(`Response ${status}`, fieldsOf(document, result), document)
      : `**Response ${status}**, ${isText ? 'as text' : 'without a body'}.`,
    example(answer),
    '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Long examples would hide the next operation. */
function example({ example: value } = {}) {
  if (value === undefined) return ''
  const lines = JSON.stringify(value, null, 2)
  const block = `\`\`\`json\n${lines}\n\`\`\``
  return lines.length < 400 ? block : `::: details Example\n${block}\n:::`
}

function table(title, rows, document) {
  if (rows.length === 0) return ''
  const lines = rows.map(([name, { schema, description }, where]) => {
    const resolvedSchema = resolve(document, schema)
    const text = [description ?? resolvedSchema.description, limitsOf(resolvedSchema)].filter(Boolean).join(' ')
    return `| \`${name}\` | ${toCell(typeOf(document, schema))} | ${where} | ${toCell(text)} |`
  })
  return `**${title}**\n\n| Field | Type | | |\n| --- | --- | --- | --- |\n${lines.join('\n')}`
}

const resolve = (document, schema = {}) =>
  schema.$ref ? resolve(document, document.components.schemas[schema.$ref.split('/').at(-1)]) : schema

/** Returns the fields of an object; fields of nested objects by their path, two levels deep. */
function fieldsOf(document, schema, { prefix = '', depth = 0 } = {}) {
  const resolvedSchema = resolve(document, schema)
  const object = resolvedSchema.type === 'array' ? resolve(document, resolvedSchema.items) : resolvedSchema
  const properties = Object.entries(mergedOf(document, object))
  const start = resolvedSchema.type === 'array' ? `${prefix}[]` : prefix
  return properties.flatMap(([name, { schema: one, required }]) => {
    const path = start ? `${start}.${name}` : name
    const row = [path, { schema: one, description: one.description }, required ? 'required' : '']
    return depth < 2 ? [row, ...fieldsOf(document, one, { prefix: path, depth: depth + 1 })] : [row]
  })
}

function mergedOf(document, object) {
  const parts = [object, ...(object.allOf ?? []).map((one) => resolve(document, one))]
  const fields = {}
  for (const { properties = {}, required = [] } of parts)
    for (const [name, schema] of Object.entries(properties))
      fields[name] = { schema, required: required.includes(name) }
  return fields
}

function typeOf(document, schema = {}) {
  const resolvedSchema = resolve(document, schema)
  if (resolvedSchema.const !== undefined) return `\`${JSON.stringify(resolvedSchema.const)}\``
  if (resolvedSchema.enum) return resolvedSchema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  const choices = resolvedSchema.anyOf ?? resolvedSchema.oneOf
  if (choices) return [...new Set(choices.map((one) => typeOf(document, one)))].slice(0, 6).join(' or ')
  if (resolvedSchema.type === 'array') return `list of ${typeOf(document, resolvedSchema.items)}`
  return Array.isArray(resolvedSchema.type) ? resolvedSchema.type.join(' or ') : (resolvedSchema.type ?? 'any')
}

const limits = {
  minLength: 'at least {} characters',
  maxLength: 'at most {} characters',
  minimum: 'at least {}',
  maximum: 'at most {}',
  minItems: 'at least {} items',
  maxItems: 'at most {} items',
}

function limitsOf(schema) {
  const texts = Object.entries(limits).flatMap(([key, text]) =>
    key in schema ? [text.replace('{}', schema[key])] : [],
  )
  if (schema.default !== undefined) texts.unshift(`default \`${JSON.stringify(schema.default)}\``)
  if (schema.format) texts.push(`format ${schema.format}`)
  const joined = texts.join(', ')
  return joined === '' ? '' : `${joined[0].toUpperCase()}${joined.slice(1)}.`
}

/** Escapes text so that neither Markdown nor Vue interprets it as tags or templates. */
const toProse = (text = '') => text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;').trim()
const toCell = (text = '') => toProse(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
