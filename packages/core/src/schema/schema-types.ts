import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { StandardSchema } from './vendors/standard-schema.ts'

declare const noSchema: unique symbol

/** The type of a missing schema. Not `{}`, which is a JSON Schema that allows anything. */
export interface NoSchema {
  /** Never present: distinguishes the type from every object. */
  readonly [noSchema]: true
}

/**
 * A schema of `@sinclair/typebox`. It is JSON Schema, but with `exactOptionalPropertyTypes` its optional fields do not
 * match the JSON Schema type.
 */
export interface TypeBoxSchema {
  /** Holds the type; it does not exist at run time. */
  readonly static: unknown
  /** The type parameters; they do not exist at run time. */
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
