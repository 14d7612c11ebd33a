import type { Issue, JsonObject } from '@trestle/protocol'

/** The result of validation: the output value, or the issues. */
export type Verdict =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly [Issue, ...Issue[]] }

/** A compiled schema of any library. */
export interface CompiledSchema {
  /** False without a schema: every value is valid and unchanged, and nothing is published. */
  readonly given: boolean
  /** Whether the output may differ from the value with its defaults: transforms, coercions, dropped keys. */
  readonly transforms: boolean
  /**
   * Loads packages that {@link CompiledSchema.jsonSchema} needs; await it once before. Returns a promise only if
   * something has to be loaded.
   *
   * @throws Error - The package is not installed; the message names it.
   */
  prepare(): void | Promise<void>
  /**
   * Returns the input view as JSON Schema, created on first use and cached. The caller must not change it.
   *
   * @throws Error - The schema cannot be converted to JSON Schema; the message names the field.
   */
  jsonSchema(): JsonObject
  /**
   * Fills defaults, runs transforms and checks. Never throws or rejects; at most 50 issues.
   *
   * @param value - JSON data; it is not changed.
   */
  check(value: unknown): Verdict | Promise<Verdict>
  /**
   * Fills in the defaults of the input view without transforms: validating the result again gives the same output. A
   * default function is called for each value; a default inside a union is filled in if its branch matches. Never
   * throws or rejects; a default that the schema rejects is omitted.
   *
   * @param value - JSON data that fits the schema; it is not changed.
   * @param made - The result of an earlier validation, if any.
   * @returns A promise if a library's schema has a default, or something has to be loaded or awaited.
   */
  fill(value: unknown, made?: Verdict): unknown
}
