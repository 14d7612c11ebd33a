import { ListFilter } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { AddressState } from '../../session/address.ts'
import { ActionMenu } from '../../ui/overlay/action-menu.tsx'

// Not part of the initial page, because it contains all error codes.
const MoreFilter = lazy(() => import('./more-filter.tsx'))

const labels = { topicKey: 'Topic', errorCode: 'Error code' } as const

/** The URL parameter of a rarely used filter. */
export type MoreFilterName = keyof typeof labels

/** Adds a filter by topic or error code. */
export function MoreFilters({ address }: { readonly address: AddressState }): ReactNode {
  const [name, ask] = useState<MoreFilterName | undefined>(undefined)
  if (name === undefined)
    return (
      <ActionMenu
        label="More filters"
        icon={<ListFilter size={15} />}
        groups={[(Object.keys(labels) as MoreFilterName[]).map((one) => ({ text: labels[one], run: () => ask(one) }))]}
      />
    )
  return (
    <Suspense>
      <MoreFilter
        name={name}
        label={labels[name]}
        onCancel={() => ask(undefined)}
        onChoose={(value) => {
          ask(undefined)
          address.choose({ [name]: value })
        }}
      />
    </Suspense>
  )
}
