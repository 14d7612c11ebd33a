import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditEntry } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { useAddress } from '../../session/address.ts'
import { useRead } from '../../session/queries.ts'
import { useSession } from '../../session/session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { LoadedPanel } from '../../ui/data/loaded-panel.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './audit.module.css'
import { AuditFilters, outcomeTexts, rangeStart } from './audit-filters.tsx'

const pageSize = 50
const tones: Readonly<Record<AuditEntry['outcome'], Tone>> = {
  ...{ started: 'warn', done: 'good', refused: 'neutral', failed: 'bad' },
}

const columns: readonly Column<AuditEntry>[] = [
  {
    key: 'at',
    title: 'When',
    show: (entry) => (
      <>
        <TimeText at={entry.at} />
        <span className={style['onPhone']}>
          <Who {...entry} />
        </span>
      </>
    ),
  },
  {
    key: 'who',
    title: 'Who',
    wideOnly: true,
    show: Who,
  },
  {
    key: 'what',
    title: 'What',
    show: ({ operation, summary, subject }) => (
      <span className={style['what']}>
        <span data-tip={summary}>{operation}</span>
        {subject !== null && <code>{subject}</code>}
      </span>
    ),
  },
  { key: 'where', title: 'Environment', wideOnly: true, show: ({ environment }) => environment?.name ?? 'All' },
  {
    key: 'outcome',
    title: 'Outcome',
    end: true,
    show: ({ outcome }) => (
      <Badge dot tone={tones[outcome]}>
        {outcomeTexts[outcome]}
      </Badge>
    ),
  },
]

function Who({ actor }: Pick<AuditEntry, 'actor'>): ReactNode {
  return (
    <span data-tip={actor.address ?? undefined} className={style['who']}>
      {actor.type === 'account' ? actor.name : `Secret key ${actor.id ?? ''}`}
    </span>
  )
}

/** Lists who changed what. */
export function AuditPage(): ReactNode {
  const { environment, account } = useSession()
  const address = useAddress()
  const { get, cursor } = address
  const query = {
    ...{ ...cursor, limit: pageSize, actor: get('actor'), operation: get('operation'), subject: get('subject') },
    ...{ outcome: get('outcome'), scope: get('scope'), createdAfter: rangeStart(get('range')) },
  }
  const read = useRead<CursorPage<AuditEntry>>('/v1/studio/audit', { query, keep: true })
  return (
    <Page
      wide
      title="Audit log"
      lead={`Changes in ${environment.name}${account?.managesPeople ? ', and to accounts' : ''}, made in the studio or with a secret key.`}
    >
      <AuditFilters address={address} hasAccounts={account?.managesPeople === true} />
      <LoadedPanel what="the audit log" read={read} rows={8}>
        {(page) => (
          <CursorList
            page={page}
            address={address}
            nouns={['entry', 'entries']}
            empty={
              <Empty icon={<ScrollText size={20} />} title="No entries">
                No changes match the filters.
              </Empty>
            }
          >
            <Table label="Audit log" columns={columns} rows={page.data} keyOf={({ id }) => id} />
          </CursorList>
        )}
      </LoadedPanel>
    </Page>
  )
}
