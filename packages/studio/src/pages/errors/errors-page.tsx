import { CircleHelp, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { listErrorTexts } from '../../errors/error-texts.ts'
import type { ErrorSide, ErrorText } from '../../errors/parse-error-texts.ts'
import { useParameters } from '../../session/address.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Prose } from '../../ui/prose.tsx'
import style from './errors.module.css'
import { sideTexts } from './side-texts.ts'

const columns: readonly Column<ErrorText>[] = [
  {
    key: 'code',
    title: 'Code',
    show: ({ code }) => (
      <Link to={`/errors/${code}`} className={style['code']}>
        {code}
      </Link>
    ),
  },
  { key: 'when', title: 'When it occurs', wideOnly: true, show: ({ when }) => <Prose text={when} /> },
  { key: 'status', title: 'Status', end: true, show: ({ status = '–' }) => status },
]

/** Lists all error codes. */
export function ErrorsPage(): ReactNode {
  const [params, setParams] = useParameters()
  const search = params.get('search') ?? ''
  const wanted = search.toLowerCase()
  const matchingErrors = listErrorTexts().filter((text) =>
    [text.code, text.when, text.why, text.message, text.status ?? ''].some((part) =>
      part.toLowerCase().includes(wanted),
    ),
  )
  const change = (value: string): void =>
    setParams(() => new URLSearchParams(value === '' ? {} : { search: value }), { replace: true })
  return (
    <Page title="Error codes" lead="What each code means, where it comes from and what to do about it. Works offline.">
      <TextField
        label="Search error codes"
        hideLabel
        type="search"
        placeholder="Code, status or words from the message"
        icon={<Search size={14} />}
        value={search}
        onChange={change}
      />
      {(Object.keys(sideTexts) as ErrorSide[]).map((side) => (
        <Side key={side} side={side} texts={matchingErrors.filter((text) => text.side === side)} />
      ))}
      {matchingErrors.length === 0 && (
        <Panel>
          <Empty
            icon={<CircleHelp size={20} />}
            title="No matching codes"
            action={<Button onClick={() => change('')}>Show all codes</Button>}
          >
            Try part of the code, or a word from its message.
          </Empty>
        </Panel>
      )}
    </Page>
  )
}

function Side({ side, texts }: { readonly side: ErrorSide; readonly texts: readonly ErrorText[] }): ReactNode {
  if (texts.length === 0) return undefined
  const { title, lead } = sideTexts[side]
  return (
    <Panel title={title} aside={<Badge>{texts.length}</Badge>} flush>
      <p className={style['lead']}>{lead}</p>
      <Table label={title} columns={columns} rows={texts} keyOf={({ code }) => code} />
    </Panel>
  )
}
