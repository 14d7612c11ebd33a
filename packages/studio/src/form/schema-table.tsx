import type { ReactNode } from 'react'
import type { JsonSchema } from '../api/json-schema.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, Table } from '../ui/data/table.tsx'
import style from './schema-table.module.css'
import { followReference, isSchema } from './values/follow-reference.ts'
import { typeText } from './values/type-text.ts'

interface Field {
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly about: string
}

const maxDepth = 4
const mostFields = 300

const columns: readonly Column<Field>[] = [
  {
    key: 'path',
    title: 'Field',
    show: ({ path, required }) => (
      <span className={style['name']}>
        <code>{path}</code>
        {required && <Badge>required</Badge>}
      </span>
    ),
  },
  { key: 'type', title: 'Type', show: ({ type }) => <code>{type}</code> },
  {
    key: 'about',
    title: 'Rules',
    wideOnly: true,
    show: ({ about }) => <span className={style['about']}>{about}</span>,
  },
]

/** Lists the fields of a JSON Schema. */
export function SchemaTable({ schema, label }: { readonly schema: JsonSchema; readonly label: string }): ReactNode {
  const { fields, isCut } = firstFields(schema)
  return (
    <>
      <Table label={label} columns={columns} rows={fields} keyOf={({ path }) => path} />
      {isCut && <p className={style['cut']}>The first {mostFields} fields are shown.</p>}
    </>
  )
}

/** Returns whether a schema has fields that a table can show. */
export function namesFields(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema !== undefined && Object.keys((schema['properties'] ?? {}) as object).length > 0
}

/** The enclosing schemas of a field, outermost first. */
type Above = readonly [JsonSchema, ...JsonSchema[]]

/** The maximum number of fields, because schemas can reference each other. */
function firstFields(schema: JsonSchema): { readonly fields: readonly Field[]; readonly isCut: boolean } {
  const fields: Field[] = []
  for (const field of fieldsOf([schema], '')) {
    if (fields.length === mostFields) return { fields, isCut: true }
    fields.push(field)
  }
  return { fields, isCut: false }
}

function* fieldsOf(above: Above, path: string): Generator<Field> {
  const [root] = above
  const schema = above.at(-1) ?? root
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, unknown>)) {
    const field = { path: `${path}${name}`, type: typeText(property, root), required: required.has(name) }
    yield { ...field, about: rulesOf(property) }
    yield* within(property, above, field.path)
  }
}

/** A recursive schema is shown once. */
function* within(property: unknown, above: Above, path: string): Generator<Field> {
  const [root] = above
  const schema = followReference(property, root)
  const items = followReference(schema['items'], root)
  if (above.length > maxDepth || above.includes(schema)) return
  yield* fieldsOf([...above, schema], `${path}.`)
  if (!above.includes(items)) yield* fieldsOf([...above, items], `${path}[].`)
}

const rules = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
]

function rulesOf(schema: unknown): string {
  if (!isSchema(schema)) return ''
  const said = rules.filter((rule) => rule in schema).map((rule) => `${rule} ${schema[rule]}`)
  const byDefault = 'default' in schema ? [`default ${JSON.stringify(schema['default'])}`] : []
  const about = typeof schema['description'] === 'string' ? [schema['description']] : []
  return [...about, ...said, ...byDefault].join(', ')
}
