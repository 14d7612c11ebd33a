import type { ServiceAccess } from '../api/service-access.ts'
import { CommandError } from '../terminal/command-error.ts'
import { type Fields, type InputOf, readInput, toInputSchema } from './tool-input.ts'

/** The dependencies of the tools. */
export interface McpPlace {
  /** The service; undefined until it is running. */
  readonly access: ServiceAccess | undefined
  /** The bridge; undefined until one is found. */
  readonly bridgeUrl: string | undefined
  /** The folder of the app. */
  readonly cwd: string
  readonly signal: AbortSignal
}

/** The effects of a tool, for clients. */
export interface ToolHints {
  readonly readOnlyHint: boolean
  /** Whether the tool can overwrite or delete something. */
  readonly destructiveHint: boolean
  /** Whether a second call with the same arguments changes nothing more. */
  readonly idempotentHint: boolean
  /** Whether it accesses anything other than the service, its documentation and the app's folder. */
  readonly openWorldHint: boolean
}

/** A tool for agents. */
export interface McpTool {
  readonly name: string
  readonly title: string
  /** What it does, for the agent. */
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly inputSchema: object
  /** JSON Schema of its result. */
  readonly outputSchema: object
  readonly annotations: ToolHints
  /** @throws {CommandError} The tool failed; the message is shown to the agent. */
  run(input: unknown, place: McpPlace): Promise<object>
}

/** The definition of a tool. */
export interface ToolParts<F extends Fields> extends Pick<McpTool, 'name' | 'title' | 'description'> {
  readonly input: F
  /** The properties of its result, as JSON Schemas. */
  readonly output: Readonly<Record<string, object>>
  readonly hints: ToolHints
  /** Runs the tool with validated arguments. */
  readonly run: (input: InputOf<F>, place: McpPlace) => Promise<object>
}

/** Hints of a tool that only reads from the service, its documentation and the app's folder. */
export const readsOnly: ToolHints = Object.freeze({
  ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

export function createTool<F extends Fields>({ input, output, hints, run, ...texts }: ToolParts<F>): McpTool {
  return {
    ...texts,
    inputSchema: toInputSchema(input),
    outputSchema: {
      type: 'object',
      properties: {
        ...output,
        shortened: {
          type: 'array',
          items: { type: 'string' },
          description: 'What was cut because the result was too large; absent if nothing was cut.',
        },
      },
      required: Object.keys(output),
      additionalProperties: false,
    },
    annotations: hints,
    run: (value, place) => run(readInput(input, value), place),
  }
}

/**
 * Returns the service of a call.
 *
 * @throws {CommandError} The service is not running yet.
 */
export function toAccess({ access }: McpPlace): ServiceAccess {
  if (access) return access
  throw new CommandError('The service is not ready yet.', { fix: 'Call again in a second.' })
}

/**
 * Returns the bridge of a call.
 *
 * @throws {CommandError} No bridge was found yet.
 */
export function toBridge({ access, bridgeUrl }: McpPlace): { readonly url: string; readonly key: string | undefined } {
  if (bridgeUrl !== undefined) return { url: bridgeUrl, key: access?.key }
  throw new CommandError('No app was found yet.', { fix: 'Start the app, or start trestle dev with --bridge URL.' })
}
