import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { StandardSchema } from './vendors/standard-schema.ts'

declare const noSchema: unique symbol

/**
 * Stands for "no schema was given". Not `{}`, which is a JSON Schema of its own and allows anything.
 */
export interface NoSchema {
  /** Never there: keeps the type apart from every object. */
  readonly [noSchema]: true
}

/**
 * A schema of `@sinclair/typebox`. It is JSON Schema, but under `exactOptionalPropertyTypes` its fields that may be
 * `undefined` are not those of the type for JSON Schema.
 */
export interface TypeBoxSchema {
  /** Carries the type; there is nothing in it at run time. */
  readonly static: unknown
  /** What the type was made with; there is nothing in it at run time. */
  readonly params: unknown[]
}

/** A schema as a user writes it: JSON Schema, or any library with Standard Schema (Zod 4, Valibot, ArkType, ...). */
export type Schema = StandardSchema | JSONSchema | TypeBoxSchema | NoSchema

/** The value code sees after the schema has filled defaults and run transforms. */
export type OutputOf<TSchema> = [TSchema] extends [NoSchema]
  ? Record<string, unknown>
  : TSchema extends StandardSchema<unknown, infer TOutput>
    ? TOutput
    : TSchema extends JSONSchema
      ? FromSchema<TSchema>
      : StaticOf<TSchema>

/** The value a caller may send: fields with a default are optional, transforms have not run. */
export type InputOf<TSchema> = [TSchema] extends [NoSchema]
  ? Record<string, unknown>
  : TSchema extends StandardSchema<infer TInput, unknown>
    ? TInput
    : TSchema extends JSONSchema
      ? FromSchema<TSchema, { keepDefaultedPropertiesOptional: true }>
      : StaticOf<TSchema>

type StaticOf<TSchema> = TSchema extends TypeBoxSchema ? TSchema['static'] : never
