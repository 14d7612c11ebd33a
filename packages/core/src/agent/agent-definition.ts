import type { AgentEventName } from '@trestle/protocol'
import type { Awaitable } from '../base/awaitable.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'

/** The functions of an agent, types gone. */
export type AgentHandlers = {
  readonly [TName in AgentEventName]: ((context: never) => Awaitable<unknown>) | undefined
} & {
  /** Called when a turn failed. */
  readonly onError: ((error: unknown, context: never) => Awaitable<unknown>) | undefined
}

/** An agent as a bridge takes it. Made by `agent()`; frozen. */
export interface AgentDefinition {
  /** The id, unique in its bridge. */
  readonly id: string
  /** What it does at each event. */
  readonly handlers: AgentHandlers
  /** The schemas of its actions by id; `undefined` where any action is taken. */
  readonly actions: ReadonlyMap<string, CompiledSchema> | undefined
  /** How long a turn may take, in milliseconds. */
  readonly timeoutMs: number
}
