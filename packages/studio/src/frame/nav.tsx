import {
  AtSign,
  Blocks,
  Bot,
  Braces,
  Building2,
  CircleHelp,
  Home,
  Languages,
  Layers,
  type LucideIcon,
  Mail,
  PanelTop,
  Play,
  Plug,
  Rss,
  Users,
  Waypoints,
  Workflow,
} from 'lucide-react'

/** An entry of the navigation. */
export interface NavEntry {
  /** Path within the studio. */
  readonly to: string
  /** Its text. */
  readonly text: string
  /** The icon. */
  readonly icon: LucideIcon
}

/** A group of entries. */
export interface NavGroup {
  /** Its heading; absent for the first group. */
  readonly title?: string
  /** Its entries. */
  readonly entries: readonly NavEntry[]
}

/** The navigation entries: the pages that are reachable from everywhere. */
export const navigation: readonly NavGroup[] = [
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
      { to: '/domains', text: 'Inbound email', icon: AtSign },
      { to: '/environments', text: 'Environments', icon: Blocks },
      { to: '/environment-variables', text: 'Variables', icon: Braces },
      { to: '/errors', text: 'Error codes', icon: CircleHelp },
    ],
  },
]
