import type { ChannelType } from '../channel.ts'
import type { JsonObject } from '../json-object.ts'
import type { Subscriber } from '../subscriber.ts'
import type { WorkflowV1 } from '../workflow-v1.ts'

/** A mark of an in-app message. */
export type MessageMark = 'read' | 'seen' | 'unread' | 'unseen'

/** Which of a message's two actions. */
export type ActionType = 'primary' | 'secondary'

/** Whether an action has been taken. */
export type ActionStatus = 'pending' | 'done'

/** The call to action of a message. */
export interface MessageCta {
  /** `redirect`. */
  readonly type?: 'redirect'
  /** Where it leads. */
  readonly data?: { readonly url?: string }
  /** The buttons and what became of them. */
  readonly action?: {
    readonly status?: ActionStatus
    readonly buttons?: readonly {
      readonly type: ActionType
      readonly content: string
      readonly resultContent?: string
    }[]
    readonly result?: { readonly payload?: JsonObject; readonly type?: ActionType }
  }
}

/** A message that was sent, on any channel. */
export interface Message {
  /** The service's id. */
  readonly _id?: string
  /** The environment. */
  readonly _environmentId: string
  /** The organization. */
  readonly _organizationId: string
  /** The run. */
  readonly _notificationId: string
  /** The subscriber, by the service's id. */
  readonly _subscriberId: string
  /** The workflow. */
  readonly _templateId?: string
  /** The template of the message. */
  readonly _messageTemplateId?: string
  /** The feed. */
  readonly _feedId?: string | null
  /** The transaction. */
  readonly transactionId: string
  /** When it was created. */
  readonly createdAt: string
  /** The channel. */
  readonly channel: ChannelType
  /** Whether it has been read. */
  readonly read: boolean
  /** Whether it has been seen. */
  readonly seen: boolean
  /** The call to action. */
  readonly cta: MessageCta
  /** The outcome. */
  readonly status: 'sent' | 'error' | 'warning'
  /** The recipient. */
  readonly subscriber?: Subscriber
  /** The workflow, as the first version returns it. */
  readonly template?: WorkflowV1
  /** The workflow's identifier. */
  readonly templateIdentifier?: string
  /** When it was delivered. */
  readonly deliveredAt?: string | readonly string[]
  /** When it was last seen. */
  readonly lastSeenDate?: string
  /** When it was last read. */
  readonly lastReadDate?: string
  /** Until when it is put off. */
  readonly snoozedUntil?: string
  /** The content: text, or blocks whose fields are not specified. */
  readonly content?: string | readonly JsonObject[] | null
  /** The subject. */
  readonly subject?: string
  /** The title of a push message. */
  readonly title?: string
  /** The mail address it was sent to. */
  readonly email?: string
  /** The phone number it was sent to. */
  readonly phone?: string
  /** The webhook it was sent to. */
  readonly directWebhookUrl?: string
  /** The provider. */
  readonly providerId?: string
  /** The devices it was sent to. */
  readonly deviceTokens?: readonly string[]
  /** The provider's error. */
  readonly errorId?: string
  /** The provider's error in words. */
  readonly errorText?: string
  /** The payload of the trigger. */
  readonly payload?: JsonObject
  /** The overrides of the trigger. */
  readonly overrides?: JsonObject
  /** The contexts of the run. */
  readonly contextKeys?: readonly string[]
}

/** The recipient of a message in a feed. */
export type FeedSubscriber = Pick<Subscriber, '_id' | 'subscriberId' | 'firstName' | 'lastName' | 'avatar'>

/** An in-app message in a feed of the first version. */
export interface FeedItem extends Omit<Message, 'subscriber'> {
  /** The recipient. */
  readonly subscriber?: FeedSubscriber
  /** The service's id. */
  readonly _id: string
  /** The workflow. */
  readonly _templateId: string
  /** The job. */
  readonly _jobId: string
  /** The content. */
  readonly content: string
  /** Whether it has been archived. */
  readonly archived: boolean
  /** When it last changed. */
  readonly updatedAt?: string
}
