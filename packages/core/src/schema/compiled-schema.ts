import type { Issue, JsonObject } from '@trestle/protocol'

/** The result of validation: the output value, or the issues. */
export type Verdict =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly [Issue, ...Issue[]] }

/** A compiled schema, independent of its library. */
export interface CompiledSchema {
  /** Whether there is a schema. Without one, every value is valid and unchanged, and nothing is published. */
  readonly given: boolean
  /**
   * Whether the output can differ from the value with its defaults, because of transforms, coercions or dropped keys.
   */
  readonly transforms: boolean
  /**
   * Loads packages that {@link CompiledSchema.jsonSchema} needs; must be awaited once before it. Returns a promise only
   * if something has to be loaded.
   *
   * @throws Error - The package is not installed; the message contains its name.
   */
  prepare(): void | Promise<void>
  /**
   * Returns the input view as JSON Schema, created on first use and cached. The caller must not modify it.
   *
   * @throws Error - The schema cannot be converted to JSON Schema; the message contains the field.
   */
  jsonSchema(): JsonObject
  /**
   * Fills in defaults, runs transforms and validates. Never throws or rejects; returns at most 50 issues.
   *
   * @param value - JSON data, which is not modified.
   */
  check(value: unknown): Verdict | Promise<Verdict>
  /**
   * Fills in the defaults of the input view without transforms: validating the result again gives the same output. A
   * default function is called for each value; a default inside a union is filled in if its branch matches. Never
   * throws or rejects; a default that the schema rejects is omitted.
   *
   * @param value - JSON data that matches the schema; it is not modified.
   * @param earlierVerdict - The result of an earlier validation, if any.
   * @returns A promise if the schema of a library has a default, or if something has to be loaded or is asynchronous.
   */
  fill(value: unknown, earlierVerdict?: Verdict): unknown
}
