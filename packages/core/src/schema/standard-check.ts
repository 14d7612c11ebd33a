import { type Issue, type JsonObject, maxIssues, toPointer } from '@trestle/protocol'
import type { CompiledSchema, Verdict } from './compiled-schema.ts'
import { createRuleSource } from './json-schema.ts'
import { type JsonView, prepareJsonView, viewAsJson } from './json-view.ts'
import type { Rule } from './rule.ts'
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts'

/**
 * Compiles a schema of a library with Standard Schema. The library decides; what is wrong is told in the words the
 * JSON Schema of the same shape would use, so that they do not depend on the library, and in the library's own words
 * where JSON Schema cannot see the fault.
 *
 * @param schema - The schema.
 */
export function compileStandardSchema(schema: StandardSchema): CompiledSchema {
  let view: JsonView | undefined
  let published: JsonObject | undefined
  const jsonSchema = (): JsonObject => {
    published ??= viewAsJson(schema, view)
    return published
  }
  const prepare = (): void | Promise<void> => {
    if (view) return
    const prepared = prepareJsonView(schema)
    if (!(prepared instanceof Promise)) {
      view = prepared
      return
    }
    return prepared.then((loaded) => {
      view = loaded
    })
  }
  return {
    given: true,
    transforms: true,
    prepare,
    jsonSchema,
    check(value) {
      try {
        const result = schema['~standard'].validate(value)
        const explain = async (issues: readonly StandardIssue[]): Promise<Verdict> => ({
          issues: await explainIssues(issues, value, async () => {
            await prepare()
            return jsonSchema()
          }),
        })
        if (result instanceof Promise) return result.then((done) => toVerdict(done, explain), toFailure)
        return toVerdict(result, explain)
      } catch (error) {
        return toFailure(error)
      }
    },
  }
}

function toVerdict(
  result: StandardResult<unknown>,
  explain: (issues: readonly StandardIssue[]) => Promise<Verdict>,
): Verdict | Promise<Verdict> {
  return result.issues ? explain(result.issues) : { value: result.value }
}

/** A schema's own code may throw: a transform, a refinement. */
function toFailure(error: unknown): Verdict {
  return {
    issues: [{ path: '', message: `cannot be checked: ${error instanceof Error ? error.message : typeof error}` }],
  }
}

async function explainIssues(
  given: readonly StandardIssue[],
  value: unknown,
  jsonSchema: () => Promise<JsonObject>,
): Promise<readonly [Issue, ...Issue[]]> {
  const own = given.slice(0, maxIssues).map(toIssue)
  const issues: Issue[] = []
  try {
    const rule: Rule = await createRuleSource(await jsonSchema())()
    rule.explain(value, '', issues)
  } catch {
    // A schema that cannot be shown as JSON Schema still has its own words.
    issues.length = 0
  }
  for (const issue of own) {
    const told = issues.some(({ path }) => isAround(path, issue.path) || isAround(issue.path, path))
    if (!told && issues.length < maxIssues) issues.push(issue)
  }
  const [first, ...rest] = issues
  return first ? [first, ...rest] : [{ path: '', message: 'is not allowed' }]
}

function isAround(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}

function toIssue({ path = [], message }: StandardIssue): Issue {
  return { path: toPointer(path.map((segment) => (typeof segment === 'object' ? segment.key : segment))), message }
}
