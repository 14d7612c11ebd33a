import type { ReactNode } from 'react'
import type { WorkflowManifest } from '../../api/generated/resources.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import style from './workflow.module.css'

interface Preference {
  readonly enabled?: boolean
  readonly readOnly?: boolean
}

/** Shows the properties of a workflow, such as its identifier and default preferences. */
export function WorkflowFacts({ workflow }: { readonly workflow: WorkflowManifest }): ReactNode {
  const { workflowId, preferences = {} } = workflow
  const all = (preferences['all'] ?? {}) as Preference
  const channels = Object.entries((preferences['channels'] ?? {}) as Record<string, Preference>)
  return (
    <Panel title="About">
      <Facts
        facts={[
          [
            'Identifier',
            <span key="id" className={style['id']}>
              <code>{workflowId}</code>
              <CopyButton text={workflowId} label="Copy the identifier" />
            </span>,
          ],
          ['Default', all.enabled === false ? 'off' : 'on'],
          [
            'Recipients',
            all.readOnly ? 'cannot change it' : `can opt ${all.enabled === false ? 'in' : 'out'}, by channel`,
          ],
          [
            'Channels',
            channels.length > 0 && (
              <span className={style['row']}>
                {channels.map(([channel, { enabled = true }]) => (
                  <Badge key={channel} dot tone={enabled ? 'good' : 'neutral'}>
                    {nameOf(channel)} {enabled ? 'on' : 'off'}
                  </Badge>
                ))}
              </span>
            ),
          ],
        ]}
      />
    </Panel>
  )
}

function nameOf(channel: string): string {
  return stepKind(channel === 'inApp' ? 'in_app' : channel).text
}
