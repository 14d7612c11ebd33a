import { isOfClass, isStepType, type StepType } from '@trestle/protocol'
import {
  Bell,
  Box,
  Clock,
  Gauge,
  Globe,
  Hourglass,
  Layers,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  Smartphone,
  Workflow,
  Wrench,
} from 'lucide-react'
import type { ReactNode } from 'react'

/** The name and icon of a step type. */
export interface StepKind {
  /** The display name. */
  readonly text: string
  readonly icon: LucideIcon
  /** Whether it sends a message. */
  readonly sends: boolean
}

const kinds: Readonly<Record<StepType, Omit<StepKind, 'sends'>>> = {
  in_app: { text: 'In-app', icon: Bell },
  email: { text: 'Email', icon: Mail },
  sms: { text: 'SMS', icon: MessageSquareText },
  push: { text: 'Push', icon: Smartphone },
  chat: { text: 'Chat', icon: MessageCircle },
  tool: { text: 'Tool', icon: Wrench },
  delay: { text: 'Delay', icon: Clock },
  trigger: { text: 'Trigger', icon: Workflow },
  wait_for_event: { text: 'Wait for event', icon: Hourglass },
  digest: { text: 'Digest', icon: Layers },
  throttle: { text: 'Throttle', icon: Gauge },
  http_request: { text: 'HTTP request', icon: Globe },
  custom: { text: 'Custom', icon: Box },
}

/**
 * Returns the name and icon of a step type; unknown types keep their own name.
 *
 * @param type - The type, such as `in_app`.
 */
export function stepKind(type: string): StepKind {
  if (!isStepType(type)) return { text: type, icon: Box, sends: false }
  return { ...kinds[type], sends: isOfClass(type, 'message') }
}

/** The icon of a step type. Show the name of the step type elsewhere, or give it as a label. */
export function StepIcon({ type, size = 15 }: { readonly type: string; readonly size?: number }): ReactNode {
  const { icon: Icon } = stepKind(type)
  return <Icon size={size} aria-hidden />
}
