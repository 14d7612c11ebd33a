// The rules of the prose check: a pattern, why it is a problem, and what to write instead.

/** @typedef {{ name: string, pattern: RegExp, reason: string, instead: readonly [string, string] }} ProseRule */

export const rules = [
  {
    name: 'where-for-if',
    pattern:
      /(?:\bwhere (?:it|they|there|nothing|no|none|one|this|that|you|neither|both|not|only|another|nobody)\b|^Where\b)/g,
    reason: '"where" is for places. A condition is "if", a time is "when".',
    instead: ['Returns 503 where PostgreSQL takes no changes.', 'Returns 503 if PostgreSQL is read-only.'],
  },
  {
    name: 'clause-for-noun',
    pattern:
      /(?:^|[.:;] )What (?:is|was|are|were|a|an|it|they|the|you|this|that|comes|came|lies|stands|does)\b(?![^.:;]*\?)/g,
    reason: 'A clause as a subject hides what the sentence is about. Name the thing.',
    instead: ['What they throw is logged and changes nothing.', 'Errors they throw are logged and ignored.'],
  },
  {
    name: 'tell',
    pattern: /\b(?:(?:is|are|was|were|be|been|being) told|tells? of|told of|tells? (?:it|them|how|what|that))\b/gi,
    reason: 'Code does not tell. It reports, logs, returns, names or lists.',
    instead: ['A trigger that makes no run is told of in the log.', 'Triggers that create no run are logged.'],
  },
  {
    name: 'is-no',
    pattern:
      /(?<!\bthere )\b(?:is|are|was|were) (?:no|none)\b(?! (?:longer|more|less|later|different|larger|smaller)\b)/gi,
    reason: 'Say what something is, or that it "does not" or "is not".',
    instead: ['code that is no handler', 'code outside a handler'],
  },
  {
    name: 'beside',
    pattern: /\bbeside\b/gi,
    reason: '"beside" is for places.',
    instead: ['codes beside these', 'other codes'],
  },
  {
    name: 'passive-preposition',
    pattern:
      /\b(?:is|are|was|were|be|been) (?:asked(?! to)|looked at|looked for|waited for|gone through|asked for|done with)\b/gi,
    reason: 'Use the verb of the field: is called, requested, awaited, checked.',
    instead: ['Hooks are not waited for.', 'Hooks are not awaited.'],
  },
  {
    name: 'behind-for-after',
    pattern:
      /\b(?:behind|in front of) (?:it|them|him|this|that|the (?:step|call|wait|first|last|other)|a (?:step|call|wait)|what)\b/gi,
    reason: 'Time and order are "before" and "after".',
    instead: ['Nothing behind it runs.', 'Code after it does not run.'],
  },
  {
    name: 'of-its-own',
    pattern: /\bof (?:its|their|your|his|her|our|my) own\b/gi,
    reason: '"its own" comes before the noun.',
    instead: ['a code of its own', 'its own code'],
  },
  {
    name: 'nobody',
    pattern: /\b(?:nobody|somebody)\b/gi,
    reason: 'Name who acts, or use the passive.',
    instead: ['Nobody shall get it twice.', 'It is never sent twice.'],
  },
  {
    name: 'word-by-word',
    pattern:
      /\b(?:goes on|go on|going on|went on|anew|mend(?:s|ed|ing)?|fares?|once more|as it is meant|takes? over|took over|taken over|there is not|stands? (?:in|at|there|before|behind|for itself)|lies? (?:in|at|there|beside)|amid|meanwhile|by itself|of itself|without more|rightly|wholly|for ever)\b/gi,
    reason: 'A translated phrase. Use continue, resume, again, fix, status, import, is, does not exist.',
    instead: ['Mend it, then sync again.', 'Fix it, then sync again.'],
  },
  {
    name: 'metaphor',
    pattern:
      /\b(?:rooms?|shel(?:f|ves)|patients?|dictionar(?:y|ies)|racers?|bur(?:y|ied|ies)|belongings|house of|doors?|guests?|neighbou?rs?|promises? of the|journey|rehears(?:e|es|al))\b/gi,
    reason: 'Use the standard term instead of a metaphor.',
    instead: ['the room of discovery', 'the discovery folder'],
  },
  {
    name: 'whatever',
    pattern: /\b(?:whoever|whatever)\b/gi,
    reason: '"whatever" leaves open what is meant. Write "regardless of", "any" or "even if".',
    instead: ['Every attempt ends, whatever the peer does.', 'Every attempt ends, regardless of the peer.'],
  },
  {
    name: 'judge',
    pattern: /\bjudge[sd]?\b/gi,
    reason: 'Code does not judge. It checks, decides or validates.',
    instead: ['Judges the header.', 'Checks the header.'],
  },
  {
    name: 'long-sentence',
    pattern: /(?:[^\s]+\s+){34,}[^\s]+/g,
    reason: 'A sentence of more than 34 words is read twice. Split it.',
    instead: ['One statement, which … and that … because …', 'One statement. Then the next.'],
  },
]

/**
 * The number of remaining findings in older texts. A change may only lower these numbers.
 *
 * @type {Readonly<Record<'docs' | 'comment' | 'message', Readonly<Record<string, number>>>>}
 */
export const remaining = {
  docs: {},
  comment: {
    'where-for-if': 10,
    'clause-for-noun': 7,
    tell: 1,
    'passive-preposition': 4,
    'of-its-own': 4,
    nobody: 4,
    'word-by-word': 3,
    metaphor: 4,
    whatever: 3,
    'long-sentence': 6,
  },
  message: {
    'where-for-if': 10,
    'clause-for-noun': 2,
    'is-no': 2,
    beside: 2,
    'behind-for-after': 6,
    'of-its-own': 1,
    nobody: 2,
    whatever: 1,
    'long-sentence': 3,
  },
}
