import { isOfClass } from '@trestle/protocol'
import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import type { Content, ContentSource } from '../port/channel-port.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { wasReached } from './settle-job.ts'

/** A call of a step. */
export interface StepCall {
  readonly step: ContentSource['step']
  readonly outcome: BridgeOutcome
}

/**
 * Creates the content of a message that a bridge has returned, before the transaction that stores it.
 *
 * @returns The content; `undefined` if the step sends no message.
 */
export async function createContent(
  { channels, clock }: Pick<EnginePorts, 'channels' | 'clock'>,
  { run, subscriber }: Pick<ContentSource, 'run' | 'subscriber'>,
  { step, outcome }: StepCall,
): Promise<Content | undefined> {
  const { reply, marked = reply } = outcome
  if (!reply || !marked || !isOfClass(step.type, 'message') || reply.options.skip || !wasReached(reply))
    return undefined
  const { outputs, providers } = marked
  return channels.createContent({ run, step, subscriber, outputs, providers, nowMs: clock.now() })
}
