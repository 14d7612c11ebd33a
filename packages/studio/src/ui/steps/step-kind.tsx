import {
  Bell,
  Braces,
  CodeXml,
  Gauge,
  Globe,
  Layers,
  type LucideIcon,
  Mail,
  MessageSquare,
  MessagesSquare,
  Smartphone,
  Timer,
  Wrench,
} from 'lucide-react'
import type { ReactNode } from 'react'

/** How a kind of step is shown. */
export interface StepKind {
  /** Its icon. */
  readonly icon: LucideIcon
  /** What people call it. */
  readonly text: string
}

const kinds: Readonly<Record<string, StepKind>> = {
  in_app: { icon: Bell, text: 'In-app' },
  email: { icon: Mail, text: 'Email' },
  sms: { icon: MessageSquare, text: 'SMS' },
  push: { icon: Smartphone, text: 'Push' },
  chat: { icon: MessagesSquare, text: 'Chat' },
  tool: { icon: Wrench, text: 'Tool' },
  digest: { icon: Layers, text: 'Digest' },
  delay: { icon: Timer, text: 'Delay' },
  throttle: { icon: Gauge, text: 'Throttle' },
  custom: { icon: CodeXml, text: 'Custom' },
  http_request: { icon: Globe, text: 'HTTP request' },
}

/**
 * Returns how a kind of step, or a channel, is shown.
 *
 * @param type - The kind, such as `in_app`.
 */
export function stepKind(type: string): StepKind {
  return (Object.hasOwn(kinds, type) ? kinds[type] : undefined) ?? { icon: Braces, text: type }
}

/** Shows the icon of a kind of step; its name stands beside it, or is given as a label elsewhere. */
export function StepIcon({ type, size = 15 }: { readonly type: string; readonly size?: number }): ReactNode {
  const { icon: Icon } = stepKind(type)
  return <Icon size={size} aria-hidden />
}
