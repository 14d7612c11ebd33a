import type { Issue } from '@trestle/protocol'
import { endSentence, toThrown } from '../base/thrown.ts'
import type { CompiledSchema, Verdict } from './compiled-schema.ts'
import { publishSchema } from './document/publish-schema.ts'
import { readSchema } from './document/read-schema.ts'
import { compileDefaults } from './fill-defaults.ts'
import { compileRules } from './rules/compile-rules.ts'
import { compileFallbackRule, libraryFormats, loadedLibrary, loadLibrary } from './rules/fallback-validator.ts'
import type { Rule } from './rules/rule.ts'

/** Returns the rule of a schema; a promise while the library is being loaded. */
export type RuleSource = () => Rule | Promise<Rule>

/**
 * Compiles a JSON Schema. The schema is checked immediately; closures are created at the first validation.
 *
 * @param given - The user's schema, which is not modified.
 * @throws TypeError - The value is not a JSON Schema; the message contains the location.
 */
export function compileJsonSchema(given: unknown): CompiledSchema {
  const read = readSchema(given)
  if (read.fault !== undefined) throw new TypeError(`The schema is not a JSON Schema: ${read.fault}.`)
  const { schema, refers } = read
  const ruleOf = refers ? sourceOf(schema) : createRuleSource(schema)
  let explainers: readonly RuleSource[] | undefined
  const explain = (value: unknown): Verdict | Promise<Verdict> => {
    // The published form is more compact: an enum instead of alternative constants.
    explainers ??= [createRuleSource(jsonSchema()), ruleOf]
    return explainBy(explainers, value)
  }
  let published: ReturnType<typeof publishSchema> | undefined
  let filler: ReturnType<typeof compileDefaults> | null = null
  const fill = (value: unknown): unknown => {
    if (filler === null) filler = compileDefaults(schema)
    return filler ? filler(value) : value
  }
  const jsonSchema = (): ReturnType<typeof publishSchema> => {
    published ??= publishSchema(schema, { refers })
    return published
  }
  return {
    given: true,
    transforms: false,
    prepare() {},
    jsonSchema,
    fill,
    check(value) {
      try {
        const filled = fill(value)
        const rule = ruleOf()
        if (rule instanceof Promise) {
          return rule
            .then((loadedRule) => (loadedRule.accepts(filled) ? { value: filled } : explain(filled)))
            .catch(uncheckable)
        }
        if (rule.accepts(filled)) return { value: filled }
        const verdict = explain(filled)
        return verdict instanceof Promise ? verdict.catch(uncheckable) : verdict
      } catch (error) {
        return uncheckable(error)
      }
    },
  }
}

/**
 * Returns the rule source of a schema. Compiling can fail because a reference can point to a part that is not under a
 * keyword and not a valid schema.
 */
function sourceOf(schema: unknown): RuleSource {
  try {
    return createRuleSource(schema, { quick: compileRules(schema) })
  } catch (error) {
    throw new TypeError(endSentence(`The schema is not a JSON Schema: ${toThrown(error).message}`), { cause: error })
  }
}

/**
 * Selects the fastest validation for a schema at its first use: closures, closures with the library's formats, or the
 * library.
 *
 * @param existingClosures - Existing closures; `undefined` if they cannot express the schema.
 */
export function createRuleSource(schema: unknown, existingClosures?: { readonly quick: Rule | undefined }): RuleSource {
  let closures = existingClosures
  let rule: Rule | undefined
  const make = (library: Parameters<typeof libraryFormats>[0]): Rule => {
    rule ??= compileRules(schema, libraryFormats(library)) ?? compileFallbackRule(schema, library)
    return rule
  }
  return () => {
    if (rule) return rule
    closures ??= { quick: compileRules(schema) }
    rule = closures.quick
    if (rule) return rule
    const library = loadedLibrary()
    return library ? make(library) : loadLibrary().then(make)
  }
}

function explainBy([source, ...others]: readonly RuleSource[], value: unknown): Verdict | Promise<Verdict> {
  if (!source) return { issues: [{ path: '', message: 'is not allowed' }] }
  const tell = (rule: Rule): Verdict | Promise<Verdict> => {
    const issues: Issue[] = []
    rule.explain(value, '', issues)
    const [first, ...rest] = issues
    return first ? { issues: [first, ...rest] } : explainBy(others, value)
  }
  const rule = source()
  return rule instanceof Promise ? rule.then(tell) : tell(rule)
}

function uncheckable(error: unknown): Verdict {
  return { issues: [{ path: '', message: `cannot be checked: ${toThrown(error).message}` }] }
}
