import type { ReactNode } from 'react'
import type { JsonSchema } from '../api/bridge.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, Table } from '../ui/data/table.tsx'
import style from './schema-table.module.css'

interface Field {
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly about: string
}

const maxDepth = 4

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

/** Shows the fields that a JSON Schema names, one a line. */
export function SchemaTable({ schema, label }: { readonly schema: JsonSchema; readonly label: string }): ReactNode {
  return <Table label={label} columns={columns} rows={fieldsOf(schema, '', 0)} keyOf={({ path }) => path} />
}

/**
 * Returns whether a schema names fields that a table can show.
 *
 * @param schema - The schema.
 */
export function namesFields(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema !== undefined && Object.keys((schema['properties'] ?? {}) as object).length > 0
}

function fieldsOf(schema: JsonSchema, above: string, depth: number): readonly Field[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries((schema['properties'] ?? {}) as Record<string, unknown>).flatMap(([name, property]) => {
    const path = `${above}${name}`
    const field = { path, type: typeOf(property), required: required.has(name), about: rulesOf(property) }
    if (depth >= maxDepth || !isSchemaObject(property)) return [field]
    const items = isSchemaObject(property['items']) ? property['items'] : {}
    return [field, ...fieldsOf(property, `${path}.`, depth + 1), ...fieldsOf(items, `${path}[].`, depth + 1)]
  })
}

function isSchemaObject(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
}

/** A schema may be `true`, which allows anything, or `false`, which allows nothing. */
function typeOf(schema: unknown): string {
  if (!isSchemaObject(schema)) return schema === false ? 'never' : 'any'
  const { type, items } = schema
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (type === 'array') return `${items === undefined ? 'any' : typeOf(items)}[]`
  if (Array.isArray(type)) return type.join(' | ')
  return typeof type === 'string' ? type : 'any'
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
  if (!isSchemaObject(schema)) return ''
  const said = rules.filter((rule) => rule in schema).map((rule) => `${rule} ${schema[rule]}`)
  const byDefault = 'default' in schema ? [`default ${JSON.stringify(schema['default'])}`] : []
  const about = typeof schema['description'] === 'string' ? [schema['description']] : []
  return [...about, ...said, ...byDefault].join(', ')
}
