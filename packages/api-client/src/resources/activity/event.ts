import type { CredentialsBody, Severity } from '../channel.ts'
import type { ContextMap } from '../context.ts'
import type { JsonObject } from '../json-object.ts'

/** A recipient with the profile fields that are created or updated on the way. */
export interface Recipient {
  /** The customer's own id of the recipient. */
  readonly subscriberId: string
  /** Given name. */
  readonly firstName?: string | undefined
  /** Family name. */
  readonly lastName?: string | undefined
  /** Mail address. */
  readonly email?: string | undefined
  /** Phone number. */
  readonly phone?: string | undefined
  /** URL of a picture. */
  readonly avatar?: string | undefined
  /** BCP 47 language tag. */
  readonly locale?: string | undefined
  /** Time zone, IANA name. */
  readonly timezone?: string | undefined
  /** Free fields. */
  readonly data?: object | undefined
  /** Credentials of its channels, which are stored on the way. */
  readonly channels?: readonly CredentialsBody[] | undefined
}

/** All subscribers of a topic. */
export interface TopicRecipient {
  /** Marks a topic. */
  readonly type: 'Topic'
  /** The topic's key. */
  readonly topicKey: string
  /** Subscribers of the topic that are left out, by id. */
  readonly exclude?: readonly string[] | undefined
}

/** One recipient: a subscriber id, a subscriber, or a topic. */
export type To = string | Recipient | TopicRecipient

/** A tenant of a trigger: its identifier, or fields that are created or updated on the way. */
export type TriggerTenant =
  | string
  | {
      readonly identifier?: string | undefined
      readonly name?: string | undefined
      readonly data?: object | undefined
    }

/** Overrides of one trigger. Names the service adds later, or a delay, are passed on as they are. */
export interface TriggerOverrides {
  /** By step id: fields of providers, and the layout of an email. */
  readonly steps?:
    | Readonly<
        Record<string, { readonly providers?: object | undefined; readonly layoutId?: string | null | undefined }>
      >
    | undefined
  /** By channel: the layout of emails. */
  readonly channels?: { readonly email?: { readonly layoutId?: string | null | undefined } } | undefined
  /** By provider id: fields of its request. */
  readonly providers?: Readonly<Record<string, object>> | undefined
  /** How urgent the messages are. */
  readonly severity?: Severity | undefined
  /** Any other override. */
  readonly [name: string]: unknown
}

/** The members of every trigger. */
export interface BroadcastBody {
  /** The workflow's identifier. */
  readonly name: string
  /** The data of the trigger. */
  readonly payload: object
  /** Checked for uniqueness while the run is processed; it does not replace the idempotency key. */
  readonly transactionId?: string | undefined
  /** Overrides by step, channel or provider. */
  readonly overrides?: TriggerOverrides | undefined
  /** Who caused the notification. */
  readonly actor?: string | Recipient | undefined
  /** The tenant. */
  readonly tenant?: TriggerTenant | undefined
  /** Contexts by type. */
  readonly context?: ContextMap | undefined
  /** The bridge this run is executed by, instead of the stored one. */
  readonly bridgeUrl?: string | undefined
  /** The agent, where one is asked. */
  readonly agentId?: string | null | undefined
}

/** A trigger of a workflow. */
export interface TriggerBody extends Omit<BroadcastBody, 'payload'> {
  /** Who is notified. */
  readonly to: To | readonly To[]
  /** The data of the trigger. */
  readonly payload?: object | undefined
  /** Control values, by step id, instead of the stored ones. */
  readonly controls?: object | undefined
}

/** The outcome of a trigger: `processed`, or why nothing runs. */
export type TriggerStatus =
  | 'processed'
  | 'error'
  | 'trigger_not_active'
  | 'no_workflow_steps_defined'
  | 'no_workflow_active_steps_defined'
  | 'no_tenant_found'
  | 'invalid_recipients'

/** The answer to a trigger. */
export interface TriggerResult {
  /** Whether the API took it. */
  readonly acknowledged: boolean
  /** `processed`, or why nothing runs. */
  readonly status: TriggerStatus
  /** The errors, when there are any. */
  readonly error?: readonly string[]
  /** The run's id; `cancel` takes it. */
  readonly transactionId?: string
  /** Where the run can be watched. */
  readonly activityFeedLink?: string
  /** The job of the run; its fields are not specified. */
  readonly jobData?: JsonObject
}
