import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import type { OpenSession } from '../session.tsx'
import { EntryCard } from './entry-card.tsx'
import type { EnvironmentPlace } from './use-environment-path.ts'

export interface ForeignEnvironmentProps {
  /** The environment in the URL. */
  readonly place: EnvironmentPlace
  readonly opened: OpenSession
  /** Ends the session. */
  onLeave(): void
}

/** Shown if the URL names an environment that the session does not cover. */
export function ForeignEnvironment({ place, opened, onLeave }: ForeignEnvironmentProps): ReactNode {
  const { named, choose } = place
  const { environments, account, openedBy } = opened
  return (
    <EntryCard title="Environment not available">
      <p>
        This link opens the environment “{named}”, which does not exist or is not part of your session.{' '}
        {account ? 'Ask an admin for a role in it.' : 'Open it with its secret key, or with a link from its service.'}
      </p>
      {environments.map(({ name }) => (
        <Button key={name} onClick={() => choose(name)}>
          Open {name}
        </Button>
      ))}
      {openedBy === 'key' && (
        <Button variant="quiet" onClick={onLeave}>
          Use a different key
        </Button>
      )}
    </EntryCard>
  )
}
