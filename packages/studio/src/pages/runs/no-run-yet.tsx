import { Waypoints } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TriggerLine } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { useRead } from '../../session/queries.ts'
import { Empty } from '../../ui/empty.tsx'

const path = '/v1/studio/triggers'
const everyMs = 2000

/** Shows why a transaction has no run: it is not created yet, or will never be. */
export function NoRunYet({ transactionId }: { readonly transactionId: string }): ReactNode {
  const { data } = useRead<CursorPage<TriggerLine>>(path, { query: { transactionId, limit: 1 }, everyMs })
  const reason = data?.data[0] && reasonOf(data.data[0])
  const icon = <Waypoints size={20} />
  if (reason !== undefined)
    return (
      <Empty icon={icon} title="The trigger created no run">
        {reason}
      </Empty>
    )
  return (
    <Empty icon={icon} title="No run for this transaction yet">
      It appears here as soon as the service has created it.
    </Empty>
  )
}

function reasonOf({ status, error }: TriggerLine): string | undefined {
  if (status === 'failed') return error ?? 'It failed.'
  if (status === 'duplicate') return 'Its transaction id was used before.'
  if (status === 'canceled') return 'It was canceled before.'
  return status === 'done' ? 'It had no recipients, such as a topic without subscribers.' : undefined
}
