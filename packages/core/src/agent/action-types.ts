import type { AgentAction } from '@trestle/protocol'
import type { InputOf, OutputOf, Schema } from '../schema/schema-types.ts'

/** An agent action: a button, a list or a question. */
export interface ActionOptions {
  /** The shape of the action's value; without it, any JSON is accepted unchanged. */
  readonly schema?: Schema | undefined
}

/** The actions of an agent by their id. */
export type ActionTable = Readonly<Record<string, ActionOptions>>

/** The ids of the actions; any string for an agent that declares none. */
export type ActionId<TActions> = keyof TActions & string

type SchemaOf<TAction> = TAction extends { readonly schema: infer TSchema extends Schema } ? TSchema : undefined

/** The value of an action as handlers receive it. */
export type ActionValue<TAction> = SchemaOf<TAction> extends infer TSchema extends Schema ? OutputOf<TSchema> : unknown

/** The value of an action as code passes it to a button, list or question. */
export type ActionInput<TAction> = SchemaOf<TAction> extends infer TSchema extends Schema ? InputOf<TSchema> : unknown

/** An action as an agent receives it; the id determines the type of its value. */
export type ActionOf<TActions> = {
  [TId in ActionId<TActions>]: Omit<AgentAction, 'id' | 'value'> & {
    /** The id of the button, list or question. */
    readonly id: TId
    /** The value it was sent with, validated by the action's schema. */
    readonly value: ActionValue<TActions[TId]>
  }
}[ActionId<TActions>]

/** The value of a question; required if the action has a schema. */
export type QuestionValue<TAction> =
  SchemaOf<TAction> extends Schema
    ? {
        /** The value returned with the answer. */
        readonly value: ActionInput<TAction>
      }
    : {
        /** The value returned with the answer; any JSON. */
        readonly value?: unknown
      }
