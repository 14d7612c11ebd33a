import { CheckCheck, CircleAlert, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { EventDelivery } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { ErrorCode } from '../../ui/notice.tsx'
import style from './message.module.css'

const marks = {
  pending: { text: 'On its way', icon: Clock },
  acknowledged: { text: 'Delivered', icon: CheckCheck },
  failed: { text: 'Not delivered', icon: CircleAlert },
} as const

/** Shows whether an event reached the bridge, or why it did not. */
export function DeliveryMark({ delivery }: { readonly delivery: EventDelivery }): ReactNode {
  const { status, attempts, lastError } = delivery
  const { text, icon: Icon } = marks[status]
  const tries = attempts > 1 ? `, ${attempts} attempts` : ''
  return (
    <span className={`${style['mark']} ${ownEntry(style, status) ?? ''}`} data-tip={lastError?.message}>
      <Icon size={13} aria-hidden />
      {text}
      {tries}
      {lastError && status !== 'acknowledged' && <ErrorCode code={lastError.code} />}
    </span>
  )
}
