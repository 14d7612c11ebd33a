import type { AgentEventName } from '@trestle/protocol'
import type { Awaitable } from '../base/awaitable.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'

/** The functions of an agent, untyped. */
export type AgentHandlers = {
  readonly [TName in AgentEventName]: ((context: never) => Awaitable<unknown>) | undefined
} & {
  /** Called when a turn fails. */
  readonly onError: ((error: unknown, context: never) => Awaitable<unknown>) | undefined
}

/** An agent for a bridge. Created by `agent()`; frozen. */
export interface AgentDefinition {
  /** The id, unique in its bridge. */
  readonly id: string
  /** The event handlers. */
  readonly handlers: AgentHandlers
  /** The schemas of its actions, by id; `undefined` if any action is accepted. */
  readonly actions: ReadonlyMap<string, CompiledSchema> | undefined
  /** The time limit of a turn, in milliseconds. */
  readonly timeoutMs: number
}
