import {
  Bell,
  Box,
  Clock,
  Gauge,
  Globe,
  Layers,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  Smartphone,
  Wrench,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { ownEntry } from '../../base/own-entry.ts'

/** How a kind of step is named and shown. */
export interface StepKind {
  /** Name for people. */
  readonly text: string
  /** Its icon. */
  readonly icon: LucideIcon
  /** Whether it reaches the recipient. */
  readonly sends: boolean
}

const kinds: Readonly<Record<string, StepKind>> = {
  in_app: { text: 'In-app', icon: Bell, sends: true },
  email: { text: 'Email', icon: Mail, sends: true },
  sms: { text: 'SMS', icon: MessageSquareText, sends: true },
  push: { text: 'Push', icon: Smartphone, sends: true },
  chat: { text: 'Chat', icon: MessageCircle, sends: true },
  tool: { text: 'Tool', icon: Wrench, sends: true },
  delay: { text: 'Delay', icon: Clock, sends: false },
  digest: { text: 'Digest', icon: Layers, sends: false },
  throttle: { text: 'Throttle', icon: Gauge, sends: false },
  http_request: { text: 'HTTP request', icon: Globe, sends: false },
  custom: { text: 'Custom', icon: Box, sends: false },
}

/**
 * Returns how a kind of step is shown; unknown ones by their own name.
 *
 * @param type - The kind, such as `in_app`.
 */
export function stepKind(type: string): StepKind {
  return ownEntry(kinds, type) ?? { text: type, icon: Box, sends: false }
}

/** Shows the icon of a kind of step; its name stands beside it, or is given as a label elsewhere. */
export function StepIcon({ type, size = 15 }: { readonly type: string; readonly size?: number }): ReactNode {
  const { icon: Icon } = stepKind(type)
  return <Icon size={size} aria-hidden />
}
