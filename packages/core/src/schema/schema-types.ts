import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { StandardSchema } from './vendors/standard-schema.ts'

declare const noSchema: unique symbol

/** The type of a missing schema. It is not `{}`, which is a JSON Schema that allows anything. */
export interface NoSchema {
  /** Never present; distinguishes the type from all object types. */
  readonly [noSchema]: true
}

/**
 * A schema of `@sinclair/typebox`. It is JSON Schema, but with `exactOptionalPropertyTypes` its optional fields do not
 * match the JSON Schema type.
 */
export interface TypeBoxSchema {
  /** Carries the static type; it does not exist at run time. */
  readonly static: unknown
  /** The type parameters; they do not exist at run time. */
  readonly params: unknown[]
}

/**
 * A schema as written by users: JSON Schema, or a schema of any library that implements Standard Schema (Zod 4,
 * Valibot, ArkType, ...).
 */
export type Schema = StandardSchema | JSONSchema | TypeBoxSchema | NoSchema

/** The value that code receives after the schema has filled in defaults and run transforms. */
export type OutputOf<TSchema> = [TSchema] extends [NoSchema]
  ? Record<string, unknown>
  : TSchema extends StandardSchema<unknown, infer TOutput>
    ? TOutput
    : TSchema extends JSONSchema
      ? FromSchema<TSchema>
      : StaticOf<TSchema>

/** The value that a caller can send: fields with a default are optional, and transforms have not been applied. */
export type InputOf<TSchema> = [TSchema] extends [NoSchema]
  ? Record<string, unknown>
  : TSchema extends StandardSchema<infer TInput, unknown>
    ? TInput
    : TSchema extends JSONSchema
      ? FromSchema<TSchema, { keepDefaultedPropertiesOptional: true }>
      : StaticOf<TSchema>

type StaticOf<TSchema> = TSchema extends TypeBoxSchema ? TSchema['static'] : never
