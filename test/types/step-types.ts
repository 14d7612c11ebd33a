import type { ChannelType, StepType as ClientStepType } from '@trestle/api-client'
import type { MessageType, StepType } from '@trestle/protocol'
import { exactly } from './equal.ts'

// The REST client has no dependencies, so it lists the step types again.

exactly<StepType>()({} as ClientStepType)
exactly<MessageType>()({} as ChannelType)
