import { MessageSquarePlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { ConversationLine } from '../../api/generated/resources.ts'
import { useSubscriberSuggestions } from '../../resource/suggestions.ts'
import { useSend } from '../../session/queries.ts'
import { Button, type ButtonVariant } from '../../ui/button.tsx'
import { SuggestField } from '../../ui/fields/suggest-field.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { toPathName } from '../../ui/path-names.ts'

const path = '/v1/studio/conversations'

export interface NewConversationProps {
  readonly agentId: string
  readonly variant: ButtonVariant
}

/** Starts a conversation with an agent, as a subscriber or as an unknown user. */
export function NewConversation({ agentId, variant }: NewConversationProps): ReactNode {
  const [isOpen, open] = useState(false)
  return (
    <>
      <Button
        needs="edit"
        variant={variant}
        icon={<MessageSquarePlus size={15} />}
        aria-label={`New conversation with ${agentId}`}
        onClick={() => open(true)}
      >
        New conversation
      </Button>
      {isOpen && <NewConversationDialog agentId={agentId} onClose={() => open(false)} />}
    </>
  )
}

function NewConversationDialog({ agentId, onClose }: { readonly agentId: string; onClose(): void }): ReactNode {
  const [, navigate] = useLocation()
  const [subscriberId, setSubscriberId] = useState('')
  const suggestions = useSubscriberSuggestions(subscriberId)
  const begin = useSend<ConversationLine>([path, '/v1/studio/agents'])
  const onSubmit = (): void => {
    const body = { agentId, ...(subscriberId.trim() !== '' && { subscriberId: subscriberId.trim() }) }
    begin.mutate(
      { method: 'POST', path, body },
      {
        onSuccess: ({ _id }) => navigate(`/agents/${toPathName(agentId)}/conversations/${toPathName(_id)}`),
      },
    )
  }
  return (
    <FormDialog
      title={`New conversation with ${agentId}`}
      verb="Start"
      needs="edit"
      request={begin}
      failure="Couldn't start the conversation"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <SuggestField
        label="Subscriber"
        suggestions={suggestions}
        hint="Who talks to the agent. Leave it empty to talk as an unknown user."
        value={subscriberId}
        error={begin.error?.details.fields?.['subscriberId']?.join(' ')}
        onChange={setSubscriberId}
      />
    </FormDialog>
  )
}
