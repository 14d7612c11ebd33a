import { AtSign, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DnsRecord, Domain } from '../../api/domains.ts'
import { DeleteResource, type ResourceKind } from '../../resource/resource-page.tsx'
import { useRead, useSend } from '../../session/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DomainMails } from './domain-mails.tsx'
import { DomainRoutes } from './domain-routes.tsx'
import { DomainStatus } from './domain-status.tsx'
import style from './domains.module.css'

const domains = '/v1/domains'
const kind: ResourceKind = { noun: 'domain', list: { to: '/domains', text: 'Inbound email' } }

/** Shows a domain with its DNS records, routes and received email. */
export function DomainPage(): ReactNode {
  const { domain: name = '' } = usePathNames<{ domain: string }>()
  const path = `${domains}/${encodeURIComponent(name)}`
  const read = useRead<Domain>(path)
  const { data: domain, error } = read
  return (
    <Page
      title={name}
      trail={[kind.list]}
      lead={domain && <DomainStatus {...domain} />}
      actions={
        domain && (
          <>
            <DeleteResource
              needs="administer"
              kind={kind}
              name={name}
              path={path}
              touches={[domains]}
              consequence="Its routes are deleted, and its mail is rejected."
            />
            <VerifyButton path={path} />
          </>
        )
      }
    >
      {domain ? (
        <>
          <Records records={domain.expectedDnsRecords} />
          <DomainRoutes key={name} domain={name} path={`${path}/routes`} />
          <DomainMails domain={name} />
        </>
      ) : (
        <Panel>
          {!error && <Skeleton rows={5} height={28} />}
          {error?.details.status === 404 && (
            <Empty
              icon={<AtSign size={20} />}
              title="Domain not found"
              action={<ButtonLink to="/domains">All domains</ButtonLink>}
            >
              It was deleted, or belongs to another environment.
            </Empty>
          )}
          {error && error.details.status !== 404 && (
            <Failure title="Couldn't load the domain" error={error} onRetry={() => void read.refetch()} />
          )}
        </Panel>
      )}
    </Page>
  )
}

/** Not a table, because on phones its narrow columns would break up long values. */
function Records({ records }: { readonly records: readonly DnsRecord[] }): ReactNode {
  return (
    <Panel title="DNS records">
      <div className={style['records']}>
        {records.map(({ type, name, content, priority }) => (
          <Facts
            key={type}
            facts={[
              ['Type', type],
              ['Name', <Copied key="name" text={name} label={`Copy the name (${type})`} />],
              ['Content', <Copied key="content" text={content} label={`Copy the content (${type})`} />],
              ['Priority', priority],
            ]}
          />
        ))}
      </div>
    </Panel>
  )
}

function Copied({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <span className={style['content']}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}

function VerifyButton({ path }: { readonly path: string }): ReactNode {
  const verify = useSend<Domain>([domains])
  const onVerify = (): void =>
    verify.mutate(
      { method: 'POST', path: `${path}/verify` },
      {
        onSuccess: ({ status, mxRecordConfigured }) => {
          const missing = [status === 'pending' && 'TXT', !mxRecordConfigured && 'MX'].filter(Boolean)
          if (missing.length === 0) toast('The domain is verified')
          else
            toast(`Record not found: ${missing.join(', ')}`, {
              description: 'New records can take a while to be visible.',
              tone: 'bad',
            })
        },
        onError: (error) => toast("Couldn't verify the domain", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <Button
      needs="administer"
      variant="primary"
      icon={<RefreshCw size={15} />}
      busy={verify.isPending}
      onClick={onVerify}
    >
      Verify
    </Button>
  )
}
