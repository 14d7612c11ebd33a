import { Check, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { ConversationQuestion } from '../../api/generated/resources.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import style from './message.module.css'
import type { Acts } from './use-acts.ts'

export interface QuestionViewProps {
  readonly question: ConversationQuestion
  /** The available actions; undefined for read-only conversations. */
  readonly acts: Acts | undefined
}

/** Shows an agent's question with its controls, or with its answer. */
export function QuestionView({ question, acts }: QuestionViewProps): ReactNode {
  const { text, status, by } = question
  return (
    <fieldset className={style['question']}>
      <legend className={style['text']}>{text}</legend>
      {status === 'open' && by && <p>Only {by.join(', ')} may answer.</p>}
      {status === 'answered' && <Answered question={question} />}
      {status === 'open' && !acts && <Badge dot>Waiting for an answer</Badge>}
      {status === 'open' && acts && <Answering question={question} acts={acts} />}
    </fieldset>
  )
}

function Answered({
  question: { type, answer = {}, options = [], labels = {} },
}: Pick<QuestionViewProps, 'question'>): ReactNode {
  const { text, choice, approved, note } = answer
  const chosen = options.find(({ value }) => value === choice)?.label ?? choice
  const approval = approved ? (labels.approve ?? 'Approved') : (labels.reject ?? 'Rejected')
  return (
    <p className={style['answer']}>
      <Badge
        tone={type === 'approval' && !approved ? 'bad' : 'good'}
        icon={type === 'approval' && !approved ? <X size={13} /> : <Check size={13} />}
      >
        {type === 'approval' ? approval : 'Answered'}
      </Badge>
      {text ?? chosen ?? note}
    </p>
  )
}

interface AnsweringProps {
  readonly question: ConversationQuestion
  readonly acts: Acts
}

function Answering({ question, acts }: AnsweringProps): ReactNode {
  if (question.type === 'text') return <TextAnswer question={question} acts={acts} />
  if (question.type === 'approval') return <Approval question={question} acts={acts} />
  return (
    <div className={style['buttons']}>
      {(question.options ?? []).map(({ value, label }) => (
        <Button
          needs="edit"
          key={value}
          small
          disabled={acts.isPending}
          onClick={() => acts.answer(question.questionId, { choice: value })}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}

function TextAnswer({ question: { questionId, text }, acts }: AnsweringProps): ReactNode {
  const [answer, setAnswer] = useState('')
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (answer.trim() !== '') acts.answer(questionId, { text: answer })
  }
  return (
    <form className={style['asked']} onSubmit={onSubmit}>
      <TextField label={`Answer to: ${text}`} hideLabel placeholder="Your answer" value={answer} onChange={setAnswer} />
      <Button needs="edit" type="submit" disabled={acts.isPending || answer.trim() === ''}>
        Answer
      </Button>
    </form>
  )
}

function Approval({ question: { questionId, text, labels = {} }, acts }: AnsweringProps): ReactNode {
  const [note, setNote] = useState('')
  const answer = (approved: boolean): void => acts.answer(questionId, { approved, ...(note.trim() !== '' && { note }) })
  return (
    <>
      <TextField
        label={`A note on: ${text}`}
        hideLabel
        placeholder="An optional note"
        value={note}
        onChange={setNote}
      />
      <div className={style['buttons']}>
        <Button needs="edit" small icon={<Check size={14} />} disabled={acts.isPending} onClick={() => answer(true)}>
          {labels.approve ?? 'Approve'}
        </Button>
        <Button
          needs="edit"
          small
          variant="danger"
          icon={<X size={14} />}
          disabled={acts.isPending}
          onClick={() => answer(false)}
        >
          {labels.reject ?? 'Reject'}
        </Button>
      </div>
    </>
  )
}
