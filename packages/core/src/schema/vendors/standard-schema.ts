/** A segment of an issue's path, in object form. */
export interface StandardPathSegment {
  readonly key: PropertyKey
}

/** An issue reported by a Standard Schema. */
export interface StandardIssue {
  /** A human-readable description of the issue. */
  readonly message: string
  /** The path, outermost key first. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined
}

/** The validation result of a Standard Schema. */
export type StandardResult<TOutput> =
  | { readonly value: TOutput; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** Converts a schema to JSON Schema; may throw. */
export interface StandardJsonSchema {
  /** The input view. */
  readonly input: (options: { readonly target: string }) => Record<string, unknown>
  /** The output view. */
  readonly output: (options: { readonly target: string }) => Record<string, unknown>
}

/**
 * The interface shared by schema libraries, restated here to avoid a dependency.
 *
 * @source Standard Schema 1.1, interfaces StandardSchemaV1 and StandardJSONSchemaV1.
 */
export interface StandardSchema<TInput = unknown, TOutput = unknown> {
  /** The properties of every library. */
  readonly '~standard': {
    /** Version of the interface. */
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    /** Validates a value, and returns its output. */
    readonly validate: (value: unknown) => StandardResult<TOutput> | Promise<StandardResult<TOutput>>
    /** Carries the static types; it does not exist at run time. */
    readonly types?: { readonly input: TInput; readonly output: TOutput } | undefined
    /** Converts the schema to JSON Schema, if the library supports it. */
    readonly jsonSchema?: StandardJsonSchema | undefined
  }
}
