import type { Issue, JsonObject } from '@trestle/protocol'

/** A schema's answer about a value: the value in its output form, or what is wrong with it. */
export type Verdict =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly [Issue, ...Issue[]] }

/** Any schema, in the one form the framework works with. */
export interface CompiledSchema {
  /** False when nothing was given: every value passes unchanged and nothing is published. */
  readonly given: boolean
  /** Whether a check may give something else than the value with its defaults: transforms, coercions, dropped keys. */
  readonly transforms: boolean
  /**
   * Loads what {@link CompiledSchema.jsonSchema} needs, where a library needs a package for it; await it once before.
   * Returns a promise only where something has to be loaded.
   *
   * @throws Error - The package is not installed; the message names it.
   */
  prepare(): void | Promise<void>
  /**
   * The input view as JSON Schema; made at first need and kept. The caller must not change it.
   *
   * @throws Error - The schema holds something JSON Schema cannot show; the message names the field.
   */
  jsonSchema(): JsonObject
  /**
   * Fills defaults, runs transforms and checks. Never throws or rejects; at most 50 issues.
   *
   * @param value - JSON data; it is not changed.
   */
  check(value: unknown): Verdict | Promise<Verdict>
  /**
   * Fills the defaults of the input view and runs no transform: checked again, the result gives the same output. A
   * default that a function gives is computed for each value, and one inside a union of a library is filled where its
   * branch holds. Never throws or rejects; a default that the schema itself refuses is left out.
   *
   * @param value - JSON data that fits the schema; it is not changed.
   * @param made - What a check has said of it, where it was checked already.
   * @returns A promise where a schema of a library holds a default, or something has to be loaded or awaited.
   */
  fill(value: unknown, made?: Verdict): unknown
}
