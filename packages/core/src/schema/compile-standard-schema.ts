import { compileRules, type Rule, subschemas } from '@trestle/json-schema'
import type { Issue, JsonObject } from '@trestle/protocol'
import { lazy } from '../base/lazy.ts'
import { toThrown } from '../base/thrown.ts'
import { findIssues } from './compile-json-schema.ts'
import type { CompiledSchema, Verdict } from './compiled-schema.ts'
import type { StandardDefaultsSource, StandardFiller } from './standard-defaults.ts'
import type { StandardIssue, StandardResult, StandardSchema } from './vendors/standard-schema.ts'
import { type JsonSchemaView, prepareJsonSchema, toJsonSchema } from './vendors/to-json-schema.ts'

// Loaded by the first invalid value or the first schema with defaults.
const telling = lazy(() => import('./format-issues.ts'))
const filling = lazy(() => import('./standard-defaults.ts'))

/** Published schemas, cached because they do not depend on the caller and take longer to create than a validation. */
const publishedOf = new WeakMap<StandardSchema, JsonObject>()

/**
 * Compiles a schema that implements Standard Schema. The schema's library validates. Error messages come from the
 * equivalent JSON Schema, so that they do not depend on the library; the library's own messages are used if JSON Schema
 * finds no error.
 */
export function compileStandardSchema(schema: StandardSchema): CompiledSchema {
  let view: JsonSchemaView | undefined
  let explainer: Rule | undefined
  const jsonSchema = (): JsonObject => {
    const cachedSchema = publishedOf.get(schema)
    if (cachedSchema) return cachedSchema
    const published = toJsonSchema(schema, view)
    publishedOf.set(schema, published)
    return published
  }
  const prepare = (): void | Promise<void> => {
    if (view) return
    const prepared = prepareJsonSchema(schema)
    if (prepared instanceof Promise) {
      return prepared.then((loaded) => {
        view = loaded
      })
    }
    view = prepared
  }
  const explain = async (value: unknown, own: readonly StandardIssue[]): Promise<Verdict> => {
    let issues: readonly Issue[]
    try {
      await prepare()
      explainer ??= compileRules(jsonSchema())
      issues = findIssues(explainer, value)
    } catch {
      // A schema that cannot be converted to JSON Schema has its own messages.
      issues = []
    }
    const { formatIssues } = await telling()
    return { issues: formatIssues(issues, own, schema['~standard'].vendor) }
  }
  const judge = (result: StandardResult<unknown>, value: unknown): Verdict | Promise<Verdict> =>
    result.issues ? explain(value, result.issues) : { value: result.value }
  const check = (value: unknown): Verdict | Promise<Verdict> => {
    try {
      const result = schema['~standard'].validate(value)
      const verdict = isPromise(result)
        ? Promise.resolve(result).then((done) => judge(done, value))
        : judge(result, value)
      return verdict instanceof Promise ? verdict.catch(toFailure) : verdict
    } catch (error) {
      return toFailure(error)
    }
  }
  return {
    given: true,
    transforms: true,
    prepare,
    jsonSchema,
    check,
    fill: createFiller({ prepare, jsonSchema, check, show: () => toJsonSchema(schema, view) }),
  }
}

/** Creates the function that fills in defaults, which libraries only list in the input view. */
function createFiller({
  prepare,
  jsonSchema,
  check,
  show,
}: Pick<CompiledSchema, 'prepare' | 'jsonSchema' | 'check'> &
  Pick<StandardDefaultsSource, 'show'>): CompiledSchema['fill'] {
  let holds: boolean | undefined
  let filler: StandardFiller | undefined
  const fill = async (value: unknown, earlierVerdict: Verdict | undefined): Promise<unknown> => {
    const { compileStandardDefaults } = await filling()
    filler ??= compileStandardDefaults(jsonSchema(), { show, check })
    const checked = earlierVerdict ?? (await check(value))
    return checked.issues ? value : filler(value, checked.value)
  }
  const apply = (value: unknown, earlierVerdict: Verdict | undefined): unknown => {
    holds ??= holdsDefault(jsonSchema())
    return holds ? fill(value, earlierVerdict).catch(() => value) : value
  }
  return (value, earlierVerdict) => {
    try {
      const preparing = prepare()
      return preparing instanceof Promise
        ? preparing.then(() => apply(value, earlierVerdict)).catch(() => value)
        : apply(value, earlierVerdict)
    } catch {
      // A schema that cannot be converted is reported at discovery.
      return value
    }
  }
}

function holdsDefault(schema: JsonObject): boolean {
  return schema['default'] !== undefined || subschemas(schema, '').some(([, inner]) => holdsDefault(inner))
}

function isPromise(value: unknown): value is PromiseLike<StandardResult<unknown>> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Converts an error to a verdict, because transforms and refinements of a schema can throw. */
function toFailure(error: unknown): Verdict {
  return { issues: [{ path: '', message: `cannot be checked: ${toThrown(error).message}` }] }
}
