import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { StudioBridge } from '../../api/generated/resources.ts'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { stepKind } from '../../ui/steps/step-kind.tsx'
import style from './home.module.css'

/** Suggests next steps: preview a step, trigger a workflow, follow its run. */
export function NextSteps({ state: { workflows } }: { readonly state: StudioBridge }): ReactNode {
  const workflow = workflows.find(({ steps }) => steps.some(({ type }) => stepKind(type).sends)) ?? workflows[0]
  const step = workflow?.steps.find(({ type }) => stepKind(type).sends) ?? workflow?.steps[0]
  const at = workflow && `/workflows/${toPathName(workflow.workflowId)}`
  const name = workflow?.name ?? workflow?.workflowId
  const steps = [
    step &&
      at && {
        to: `${at}/steps/${toPathName(step.stepId)}`,
        title: `Preview “${step.stepId}”`,
        text: `See what ${name} sends as you type.`,
      },
    workflow && {
      to: `/trigger?workflow=${encodeURIComponent(workflow.workflowId)}`,
      title: `Trigger ${name}`,
      text: 'With your own payload, or copy the call.',
    },
    { to: '/runs', title: 'Follow the runs', text: 'Every step live, with request and response.' },
    { to: '/outbox', title: 'Read the outbox', text: 'Emails and SMS not sent to a provider.' },
  ]
  return (
    <Panel title="Next steps" flush>
      <ul className={style['next']}>
        {steps.map(
          (one) =>
            one && (
              <li key={one.to}>
                <Link to={one.to}>
                  <span>
                    <strong>{one.title}</strong>
                    <span>{one.text}</span>
                  </span>
                  <ArrowRight size={16} aria-hidden />
                </Link>
              </li>
            ),
        )}
      </ul>
    </Panel>
  )
}
