import type { ReactNode } from 'react'
import type { PersonLink } from '../../api/generated/resources.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './people.module.css'

/** Shows a one-time link with a copy button. */
export function LinkText({ link }: { readonly link: PersonLink }): ReactNode {
  const { person, url, purpose, expiresAt } = link
  return (
    <div className={style['form']}>
      <p>
        {purpose === 'invite' ? 'It opens an account for' : 'It sets a new password for'} {person.email}. It works once,
        expires <TimeText at={expiresAt} />, and is not shown again.
      </p>
      <code className={style['link']}>{url}</code>
      <CopyButton text={url} label="Copy the link">
        Copy the link
      </CopyButton>
    </div>
  )
}
