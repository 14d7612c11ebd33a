import { CodedError } from '@trestle/protocol'
import { providerIds } from '../providers/provider-ids.ts'
import type { StepCall } from './step-call.ts'
import { toStepData } from './step-data.ts'
import { stepKinds } from './step-kinds.ts'

/**
 * Rejects overrides for providers that the step's channel does not have.
 *
 * @throws CodedError - `ProviderNotFoundError`.
 */
export function checkProviders(call: StepCall): void {
  const { id, kind, options } = call
  if (!options.providers) return
  const { channel, type } = stepKinds[kind]
  for (const provider of Object.keys(options.providers))
    if (!channel || !(providerIds[channel] as readonly string[]).includes(provider))
      throw new CodedError(
        'ProviderNotFoundError',
        `Step "${id}" has an override for the provider "${provider}", which does not exist for the channel ${type}.`,
        { data: toStepData(call) },
      )
}
