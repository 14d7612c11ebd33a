import { CircleUserRound, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useSession } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import style from './side.module.css'

/** Shows the signed-in user and their role, with a link to the account; renders nothing without accounts. */
export function AccountMenu({ onNavigate }: { readonly onNavigate: (() => void) | undefined }): ReactNode {
  const { account, environment, signOut } = useSession()
  if (!account) return null
  return (
    <div className={style['account']}>
      <Link to="/account" className={style['person'] ?? ''} onClick={onNavigate}>
        <CircleUserRound size={16} aria-hidden />
        <span>
          <span className="visually-hidden">Your account: </span>
          <span className={style['name']}>{account.name || account.email}</span>
          <span className={style['role']}>{environment.role} in this environment</span>
        </span>
      </Link>
      <Button small variant="quiet" aria-label="Sign out" icon={<LogOut size={15} />} onClick={signOut} />
    </div>
  )
}
