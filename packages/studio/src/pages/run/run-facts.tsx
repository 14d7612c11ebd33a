import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { WholeRun } from '../../api/generated/resources.ts'
import { useBridge } from '../../session/bridge.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { JsonBlock } from '../../ui/data/code-block.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import style from './run-page.module.css'

/** Shows the properties of a run: recipient, actor and data. */
export function RunFacts({ run }: { readonly run: WholeRun }): ReactNode {
  const { workflowId, subscriberId, transactionId, topics, actor, tenant, context, digestedRunId } = run
  const bridge = useBridge()
  // A removed workflow has no page.
  const isOfBridge = bridge.data?.workflows.some((workflow) => workflow.workflowId === workflowId) ?? false
  const keys = topics.flatMap(({ topicKey }) => (topicKey === undefined ? [] : [topicKey]))
  const email = typeof run.to['email'] === 'string' ? run.to['email'] : undefined
  return (
    <aside className={style['facts']} aria-label="About this run">
      <Panel title="About this run">
        <Facts
          facts={[
            [
              'Workflow',
              isOfBridge ? (
                <Link key="w" to={`/workflows/${toPathName(workflowId)}`}>
                  {workflowId}
                </Link>
              ) : (
                workflowId
              ),
            ],
            [
              'Subscriber',
              <Link key="s" to={`/subscribers/${toPathName(subscriberId)}`}>
                {subscriberId}
              </Link>,
            ],
            ['Email', email],
            ['Topics', keys.length > 0 && <Topics keys={keys} />],
            ['Actor', idOf(actor)],
            ['Tenant', idOf(tenant)],
            ['Merged into', digestedRunId && <Link to={`/runs/${digestedRunId}`}>the run of the digest</Link>],
            [
              'Transaction',
              <span key="x">
                <code>{transactionId}</code> <CopyButton text={transactionId} label="Copy the transaction" />
              </span>,
            ],
          ]}
        />
      </Panel>
      <Panel title="Payload">
        <JsonBlock value={run.payload} label="the payload" />
      </Panel>
      {Object.keys(run.overrides).length > 0 && (
        <Panel title="Overrides">
          <JsonBlock value={run.overrides} label="the overrides" />
        </Panel>
      )}
      {context !== null && Object.keys(context).length > 0 && (
        <Panel title="Context">
          <JsonBlock value={context} label="the context" />
        </Panel>
      )}
    </aside>
  )
}

function Topics({ keys }: { readonly keys: readonly string[] }): ReactNode {
  return keys.map((key, index) => (
    <span key={key}>
      {index > 0 && ', '}
      <Link to={`/topics/${toPathName(key)}`}>{key}</Link>
    </span>
  ))
}

function idOf(who: Readonly<Record<string, unknown>> | null): string | undefined {
  const id = who?.['subscriberId'] ?? who?.['identifier']
  return typeof id === 'string' ? id : undefined
}
