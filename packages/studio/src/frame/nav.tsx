import {
  AtSign,
  Blocks,
  Bot,
  Braces,
  Building2,
  Cable,
  CircleHelp,
  Home,
  Languages,
  Layers,
  type LucideIcon,
  Mail,
  MapPin,
  PanelTop,
  Play,
  Plug,
  Rss,
  ScrollText,
  UserCog,
  Users,
  Waypoints,
  Webhook,
  Workflow,
} from 'lucide-react'
import type { Session } from '../session/session.tsx'

/** A navigation entry. */
export interface NavEntry {
  /** Path within the studio. */
  readonly to: string
  readonly text: string
  readonly icon: LucideIcon
  /**
   * Who sees the entry: admins of the environment, or of all environments; only applies with accounts. @default
   * everyone
   */
  readonly for?: 'admins' | 'owners'
}

/** A group of navigation entries. */
export interface NavGroup {
  /** The group's heading; absent for the first group. */
  readonly title?: string
  readonly entries: readonly NavEntry[]
}

/** The navigation entries: the pages that are reachable from every page. */
const navigation: readonly NavGroup[] = [
  {
    entries: [
      { to: '/', text: 'Overview', icon: Home },
      { to: '/workflows', text: 'Workflows', icon: Workflow },
      { to: '/trigger', text: 'Trigger', icon: Play },
      { to: '/agents', text: 'Agents', icon: Bot },
    ],
  },
  {
    title: 'Watch',
    entries: [
      { to: '/runs', text: 'Runs', icon: Waypoints },
      { to: '/outbox', text: 'Outbox', icon: Mail },
    ],
  },
  {
    title: 'People',
    entries: [
      { to: '/subscribers', text: 'Subscribers', icon: Users },
      { to: '/addresses', text: 'Addresses', icon: MapPin },
      { to: '/topics', text: 'Topics', icon: Rss },
      { to: '/tenants', text: 'Tenants', icon: Building2 },
      { to: '/contexts', text: 'Contexts', icon: Layers },
    ],
  },
  {
    title: 'Content',
    entries: [
      { to: '/layouts', text: 'Layouts', icon: PanelTop },
      { to: '/translations', text: 'Translations', icon: Languages },
    ],
  },
  {
    title: 'Set up',
    entries: [
      { to: '/integrations', text: 'Integrations', icon: Plug },
      { to: '/connections', text: 'Connections', icon: Cable },
      { to: '/domains', text: 'Inbound email', icon: AtSign },
      { to: '/webhooks', text: 'Webhooks', icon: Webhook },
      { to: '/environments', text: 'Environments', icon: Blocks },
      { to: '/environment-variables', text: 'Variables', icon: Braces },
      { to: '/errors', text: 'Error codes', icon: CircleHelp },
    ],
  },
  {
    title: 'Access',
    entries: [
      { to: '/people', text: 'People', icon: UserCog, for: 'owners' },
      { to: '/audit', text: 'Audit log', icon: ScrollText, for: 'admins' },
    ],
  },
]

/** Returns the navigation for a session: without accounts, it omits the user list and the audit log. */
export function navigationOf({ account, environment }: Pick<Session, 'account' | 'environment'>): readonly NavGroup[] {
  const isShown = ({ for: whom }: NavEntry): boolean => {
    if (whom === undefined) return true
    return whom === 'owners' ? account?.managesPeople === true : account !== undefined && environment.role === 'admin'
  }
  return navigation
    .map((group) => ({ ...group, entries: group.entries.filter(isShown) }))
    .filter(({ entries }) => entries.length > 0)
}
