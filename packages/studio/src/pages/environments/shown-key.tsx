import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import style from './environments.module.css'

/** Shows a new secret key, once. */
export function ShownKey({ title, secretKey }: { readonly title: string; readonly secretKey: string }): ReactNode {
  return (
    <Notice tone="good" title={title}>
      <p>Copy it now. It is not shown again.</p>
      <p className={style['key']}>
        <code>{secretKey}</code>
        <CopyButton text={secretKey} label="Copy the secret key" />
      </p>
    </Notice>
  )
}
