import type { ReactNode } from 'react'
import { ownEntry } from '../base/own-entry.ts'
import { ChatPreview } from './chat-preview.tsx'
import { EmailPreview } from './email-preview.tsx'
import { FactsPreview } from './facts-preview.tsx'
import { InAppPreview } from './in-app-preview.tsx'
import type { PreviewProps } from './outputs.ts'
import { PushPreview } from './push-preview.tsx'
import { SmsPreview } from './sms-preview.tsx'

const previews: Readonly<Record<string, (props: PreviewProps) => ReactNode>> = {
  email: EmailPreview,
  in_app: InAppPreview,
  sms: SmsPreview,
  push: PushPreview,
  chat: ChatPreview,
}

/** Shows the output of a step as its recipient would see it; for steps that send nothing, its properties. */
export function ChannelPreview(props: PreviewProps): ReactNode {
  const Preview = ownEntry(previews, props.type)
  return Preview ? <Preview {...props} /> : <FactsPreview {...props} />
}
