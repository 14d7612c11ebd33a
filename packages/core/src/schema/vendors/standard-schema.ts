/** A path segment of an issue, in its long form. */
export interface StandardPathSegment {
  readonly key: PropertyKey
}

/** One fault a Standard Schema reports. */
export interface StandardIssue {
  /** The fault, for a person. */
  readonly message: string
  /** Where, from the outside in. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined
}

/** The verdict of a Standard Schema. */
export type StandardResult<TOutput> =
  | { readonly value: TOutput; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** Shows a schema as JSON Schema; may throw where it cannot. */
export interface StandardJsonSchema {
  /** The view of what is sent in. */
  readonly input: (options: { readonly target: string }) => Record<string, unknown>
  /** The view of what comes out. */
  readonly output: (options: { readonly target: string }) => Record<string, unknown>
}

/**
 * The interface schema libraries share, restated here so that nobody needs a package for it.
 *
 * @source Standard Schema 1.1, interfaces StandardSchemaV1 and StandardJSONSchemaV1.
 */
export interface StandardSchema<TInput = unknown, TOutput = unknown> {
  /** The properties every library gives. */
  readonly '~standard': {
    /** Version of the interface. */
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    /** Checks a value, and turns it into its output form. */
    readonly validate: (value: unknown) => StandardResult<TOutput> | Promise<StandardResult<TOutput>>
    /** Carries the types; there is nothing in it at run time. */
    readonly types?: { readonly input: TInput; readonly output: TOutput } | undefined
    /** Shows the schema as JSON Schema, where the library can. */
    readonly jsonSchema?: StandardJsonSchema | undefined
  }
}
