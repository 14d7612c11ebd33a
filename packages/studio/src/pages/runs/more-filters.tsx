import { ListFilter } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { AddressState } from '../../session/address.ts'
import { ActionMenu } from '../../ui/overlay/action-menu.tsx'
import { type MoreFilterName, moreFilters } from './run-query.ts'

// Not part of the initial page, because it contains all error codes.
const MoreFilter = lazy(() => import('./more-filter.tsx'))

/** Adds a filter by topic or error code. */
export function MoreFilters({ address }: { readonly address: AddressState }): ReactNode {
  const [name, ask] = useState<MoreFilterName | undefined>(undefined)
  if (name === undefined)
    return (
      <ActionMenu
        label="More filters"
        icon={<ListFilter size={15} />}
        groups={[
          (Object.keys(moreFilters) as MoreFilterName[]).map((one) => ({
            text: moreFilters[one],
            run: () => ask(one),
          })),
        ]}
      />
    )
  return (
    <Suspense>
      <MoreFilter
        name={name}
        label={moreFilters[name]}
        onCancel={() => ask(undefined)}
        onChoose={(value) => {
          ask(undefined)
          address.choose({ [name]: value })
        }}
      />
    </Suspense>
  )
}
